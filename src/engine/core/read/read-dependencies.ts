import type { Model } from '../../../model/model.js'
import type { Runs, Store } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import type { Addresses } from './addresses.js'
import type { Statements } from './statements.js'

/**
 * Clock of the business time: in the live environment the real time, in the test environment a time that the
 * operator can move.
 */
export interface BusinessClock {
  /**
   * Time in milliseconds since 1970. It is read once when a unit of work or a read begins, and is constant
   * during it.
   */
  at(database: Runs): Promise<number>
}

/** Parts of the core that reads require. */
export interface ReadDependencies {
  readonly model: Model
  readonly statements: Statements
  readonly store: Store
  readonly vault: Vault
  readonly addresses: Addresses
  readonly businessClock: BusinessClock
}
