import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { ClientRequest, Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { isObject } from '../../terminal/input/body.js'

const { read_events: readEvents } = adminOperations

/** How many events are requested at once. */
const MAX_ROWS = 1_000

/** How far events have been read. */
export class Position {
  private next: string | undefined
  private readonly skipped = new Set<string>()
  private isFull = false

  /** `last`: how many earlier events to begin with; with a trigger, events of that one only. */
  constructor(
    private readonly last: number,
    private readonly trigger?: string,
  ) {}

  /** Asks for what comes next. */
  request(): ClientRequest {
    return { method: readEvents.method, path: `/${readEvents.path}`, query: this.query() }
  }

  query(): QueryPair[] {
    const query: QueryPair[] = [['limit', String(MAX_ROWS)]]
    if (this.next !== undefined) query.push(['after', this.next])
    // Where none of the earlier ones are shown, nobody needs to look for as many of the trigger.
    const isShown = this.next !== undefined || this.last > 0
    if (this.trigger !== undefined && isShown) query.push(['trigger', this.trigger])
    return query
  }

  /** Whether there may be more already, as the last answer had as many as were asked for. */
  get isBehind(): boolean {
    return this.isFull
  }

  /** Takes an answer; returns the events to show, some of which may have been returned before. */
  take({ events: answered, next }: { readonly [name: string]: Json }): readonly JsonObject[] {
    const events = Array.isArray(answered) ? answered.filter(isObject) : []
    const ids = events.map(({ id }) => String(id))
    if (this.next === undefined) for (const id of ids.slice(0, ids.length - this.last)) this.skipped.add(id)
    // The first answer has the newest, and one that leads nowhere waits for a unit of work to end.
    const isFurther = this.next !== undefined && this.next !== next
    this.isFull = isFurther && events.length === MAX_ROWS
    this.next = String(next)
    return events.filter(({ id }) => !this.skipped.has(String(id)))
  }
}
