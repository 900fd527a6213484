import type { Clock } from '../../../platform/clock.js'
import type { Ids } from '../../../platform/ids.js'
import type { Environment } from '../../store/database/store.js'
import type { ReadDependencies } from '../read/read-dependencies.js'
import type { AnyAdminRules } from './rule.js'
import type { AnyRules } from './work.js'

/** What a core is made of; the composition root hands it in. */
export interface CoreDependencies extends ReadDependencies {
  /** The real time, for what guards the service: idempotency keys, secret keys. */
  readonly clock: Clock
  readonly ids: Ids
  readonly environment: Environment
  /** Loaded with the first write: a command that only reads does not pay for them. */
  readonly rules: () => Promise<AnyRules>
  /** What the admin operations do. */
  readonly adminRules: () => Promise<AnyAdminRules>
  /** Told of what should not have happened; the caller sees no more than InternalServerError. */
  readonly report: (error: unknown) => void
}
