import type { Model } from '../../../model/model.js'
import type { Runs, Store } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import type { Addresses } from './addresses.js'
import type { Statements } from './statements.js'

/** What time it is for the business: in live the real time, in test one that the operator can move. */
export interface BusinessClock {
  /** Milliseconds since 1970. Read once, as a unit of work or a read begins: that is its time throughout. */
  at(database: Runs): Promise<number>
}

/** What reading needs. */
export interface ReadDependencies {
  readonly model: Model
  readonly statements: Statements
  readonly store: Store
  readonly vault: Vault
  readonly addresses: Addresses
  readonly businessClock: BusinessClock
}
