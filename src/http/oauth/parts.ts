import type { App } from '../../app.js'
import type { Clock } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import type { Rates } from '../api/rates/rates.js'
import type { Limits } from '../api/wire/limits.js'

/** What the pages and endpoints of OAuth take. */
export interface OauthParts {
  readonly app: App
  readonly limits: Limits
  readonly rates: Rates
  readonly random: Random
  readonly clock: Clock
}
