import { adminOperations } from '../../../resources/admin/admin-operations.js'
import type { ClientRequest, Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { isObject } from '../../terminal/input/body.js'

const { read_events: readEvents } = adminOperations

/** Maximum number of events in one request. */
const MAX_ROWS = 1_000

/** Position up to which events have been read. */
export class Position {
  private next: string | undefined
  private readonly skipped = new Set<string>()
  private isFull = false

  /** `last` is the number of earlier events to begin with; `trigger` restricts the events to one trigger. */
  constructor(
    private readonly last: number,
    private readonly trigger?: string,
  ) {}

  /** Request for the next events. */
  request(): ClientRequest {
    return { method: readEvents.method, path: `/${readEvents.path}`, query: this.query() }
  }

  query(): QueryPair[] {
    const query: QueryPair[] = [['limit', String(MAX_ROWS)]]
    if (this.next !== undefined) query.push(['after', this.next])
    // A request that only determines the newest position omits the trigger, because searching for matching
    // events is slow.
    const isShown = this.next !== undefined || this.last > 0
    if (this.trigger !== undefined && isShown) query.push(['trigger', this.trigger])
    return query
  }

  /** Whether more events may be available already: the last answer was full. */
  get isBehind(): boolean {
    return this.isFull
  }

  /**
   * Moves the position to the end of an answer. Returns its events to show, some of which may have been returned
   * before.
   */
  take({ events: answered, next }: { readonly [name: string]: Json }): readonly JsonObject[] {
    const events = Array.isArray(answered) ? answered.filter(isObject) : []
    const ids = events.map(({ id }) => String(id))
    if (this.next === undefined) for (const id of ids.slice(0, ids.length - this.last)) this.skipped.add(id)
    // The first answer has the newest events, so it is never full. Neither is an answer with the same position: the
    // service then waits for a unit of work to end.
    const isFurther = this.next !== undefined && this.next !== next
    this.isFull = isFurther && events.length === MAX_ROWS
    this.next = String(next)
    return events.filter(({ id }) => !this.skipped.has(String(id)))
  }
}
