import { digitsOfTime, timeOfId } from '../../../schema/id-time.js'
import type { JsonObject, QueryPair } from '../../terminal/client/client.js'

/** So many events are asked for at once. */
const MAX_ROWS = 1_000
/** Events may be committed in another order than that of their ids: so many milliseconds are asked for again. */
const OVERLAP = 5_000

/** How far somebody who listens to events has come. */
export class Position {
  private after: string | undefined
  private newest = 0
  private readonly passedOver = new Set<string>()

  /** Of what happened before, the last so many count. */
  constructor(private readonly last: number) {}

  query(): QueryPair[] {
    const limit: QueryPair = ['limit', String(MAX_ROWS)]
    return this.after === undefined ? [limit] : [limit, ['after', this.after]]
  }

  /** Takes an answer; gives what counts of it, some of which may have been there before. */
  take(events: readonly JsonObject[]): readonly JsonObject[] {
    const ids = events.map(({ id }) => String(id))
    if (this.after === undefined)
      for (const id of ids.slice(0, ids.length - this.last)) this.passedOver.add(id)
    const isFull = this.after !== undefined && ids.length === MAX_ROWS
    this.newest = Math.max(this.newest, ...ids.map(timeOfId))
    this.after = isFull ? ids.at(-1) : `evt_${digitsOfTime(Math.max(this.newest - OVERLAP, 0))}`
    return events.filter(({ id }) => !this.passedOver.has(String(id)))
  }
}
