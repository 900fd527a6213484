import type { Clock } from '../effects/clock.js'
import type { Ids } from '../effects/ids.js'
import type { Registry } from '../schema/registry.js'
import type { Store } from '../store/store.js'
import type { Vault } from '../store/vault.js'
import type { AnyAdminRules } from './admin/rule.js'
import type { AnyRules, Environment } from './work.js'

/** What a core is made of; the composition root hands it in. */
export interface Means {
  readonly registry: Registry
  readonly store: Store
  readonly vault: Vault
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
