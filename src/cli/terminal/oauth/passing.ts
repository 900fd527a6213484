import { systemClock } from '../../../platform/clock.js'
import { datetimeOf } from '../../../schema/datetime.js'

const LIFE = 15 * 60_000

/** From when a key is refused that is made for one exchange alone, a quarter of an hour from now. */
export function soon(): string {
  return datetimeOf(systemClock.now() + LIFE)
}
