import type { Json, JsonObject, QueryPair } from '../../terminal/client/client.js'
import { isObject } from '../../terminal/input/body.js'

/** So many events are asked for at once. */
const MAX_ROWS = 1_000

/** How far somebody who listens to events has come. */
export class Position {
  private next: string | undefined
  private readonly passedOver = new Set<string>()

  /** Of what happened before, the last so many count. */
  constructor(private readonly last: number) {}

  query(): QueryPair[] {
    const limit: QueryPair = ['limit', String(MAX_ROWS)]
    return this.next === undefined ? [limit] : [limit, ['after', this.next]]
  }

  /** Takes an answer; gives what counts of it, some of which may have been there before. */
  take({ events: answered, next }: { readonly [name: string]: Json }): readonly JsonObject[] {
    const events = Array.isArray(answered) ? answered.filter(isObject) : []
    const ids = events.map(({ id }) => String(id))
    if (this.next === undefined)
      for (const id of ids.slice(0, ids.length - this.last)) this.passedOver.add(id)
    this.next = String(next)
    return events.filter(({ id }) => !this.passedOver.has(String(id)))
  }
}
