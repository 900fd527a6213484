import type { Clock } from '../effects/clock.js'
import type { Ids } from '../effects/ids.js'
import type { Registry } from '../schema/registry.js'
import type { Store, Tx } from '../store/store.js'
import type { Vault } from '../store/vault.js'
import type { Addresses } from './addresses.js'
import type { AnyAdminRules } from './admin/rule.js'
import type { AnyRules, Environment } from './work.js'

/** What time it is for the business: in live the real time, in test one that the operator can move. */
export interface BusinessClock {
  /** Milliseconds since 1970. Asked once, as a unit of work or a read begins; that is its time throughout. */
  at(tx: Tx): Promise<number>
}

/** What a core is made of; the composition root hands it in. */
export interface Means {
  readonly registry: Registry
  readonly store: Store
  readonly vault: Vault
  readonly addresses: Addresses
  /** The real time, for what guards the service: idempotency keys, secret keys. */
  readonly clock: Clock
  readonly businessClock: BusinessClock
  readonly ids: Ids
  readonly environment: Environment
  /** Loaded with the first write: a command that only reads does not pay for them. */
  readonly rules: () => Promise<AnyRules>
  /** What the admin operations do. */
  readonly adminRules: () => Promise<AnyAdminRules>
  /** Told of what should not have happened; the caller sees no more than InternalServerError. */
  readonly report: (error: unknown) => void
}
