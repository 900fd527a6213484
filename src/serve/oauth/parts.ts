import type { App } from '../../app.js'
import type { Clock } from '../../effects/clock.js'
import type { Random } from '../../effects/random.js'
import type { Limits } from '../limits.js'
import type { Rates } from '../rates/rates.js'

/** What the pages and endpoints of OAuth take. */
export interface OauthParts {
  readonly app: App
  readonly limits: Limits
  readonly rates: Rates
  readonly random: Random
  readonly clock: Clock
}
