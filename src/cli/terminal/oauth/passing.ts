import { systemClock } from '../../../platform/clock.js'
import { datetimeOf } from '../../../schema/datetime.js'

const LIFE = 15 * 60_000

/** When a key that is made for a single exchange expires: in a quarter of an hour. */
export function soon(): string {
  return datetimeOf(systemClock.now() + LIFE)
}
