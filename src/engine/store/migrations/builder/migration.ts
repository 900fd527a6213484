import type { KeyedHash } from '../../books/seal-log.js'
import type { Tx } from '../../database/store.js'

/** One step of the schema; runs on both databases, in the unit of work that also notes its name, with the home's key. */
export type Migration = (tx: Tx, keyed: KeyedHash) => Promise<void>

/** Every migration, in the order they are applied. A name that was released never changes. */
export const migrationNames = [
  '0001_first',
  '0002_vault_keys',
  '0003_one_of_each',
  '0004_event_order',
  '0005_sealed_books',
  '0006_gateways',
  '0007_notifications',
  '0012_more_seals',
  '0013_sealed_batches',
  '0015_sealed_events',
  '0016_resolved_exceptions',
  '0017_gateway_operation',
  '0018_payouts',
  '0019_settlements',
  '0020_currencies',
  '0021_logos',
  '0022_token_merchants',
  '0023_explained_lines',
  '0024_batch_keys',
  '0027_packed_answers',
  '0028_packed_names',
  '0029_own_postings',
  '0030_stored_order',
] as const

export type MigrationName = (typeof migrationNames)[number]
