import { sql } from 'kysely'
import type { Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { type MigrationName, migrationNames } from './builder/migration.js'
import { applied } from './migrate.js'

/** These take a moment in a large database, too; every other reads or writes all rows of a table. */
const constantTime: ReadonlySet<string> = new Set<MigrationName>([
  '0001_first',
  '0002_vault_keys',
  '0006_gateways',
  '0007_notifications',
  '0016_resolved_exceptions',
  '0017_gateway_operation',
  '0018_payouts',
  '0019_settlements',
  '0021_logos',
  '0024_batch_keys',
  '0028_packed_names',
  '0030_stored_order',
])

/** Up to this many bytes a database is brought to the newest schema by whatever opens it first. */
const MAX_BYTES = 128 * 2 ** 20
/** Bytes of a database that a migration is sure to get through in a second. */
const BYTES_PER_SECOND = 8 * 2 ** 20

/** What it takes to bring a database to the newest schema. */
export interface PendingMigrations {
  readonly names: readonly string[]
  /** An estimate, of a slow machine. */
  readonly seconds: number
  /** Bytes of disk that are needed meanwhile, besides the database itself. */
  readonly bytes: number
  /** Whether nothing but `payctl migrate` may begin it. */
  readonly isLong: boolean
}

/** The migrations that a database lacks; nothing when it has never been used, or has all of them. */
export async function pendingMigrations(tx: Tx): Promise<PendingMigrations | undefined> {
  const has = await applied(tx)
  const names = migrationNames.filter((name) => !has.includes(name))
  if (has.length === 0 || names.length === 0) return undefined
  const bytes = await bytesOf(tx)
  const long = names.filter((name) => !constantTime.has(name)).length
  return {
    names,
    seconds: Math.ceil((long * bytes) / BYTES_PER_SECOND),
    bytes: long > 0 ? bytes : 0,
    isLong: long > 0 && bytes > MAX_BYTES,
  }
}

/** Throws a `StoreError` where migrations would keep everybody waiting, and says what they take. */
export async function expectShort(tx: Tx, place: string): Promise<void> {
  const pending = await pendingMigrations(tx)
  if (pending?.isLong)
    throw new StoreError(
      'needs_migration',
      `The database ${place} has the schema of an older payctl; stop payctl everywhere and bring it to this one, ` +
        `${takes(pending)}: payctl migrate --backup <folder>`,
    )
}

/** In words: `which may take 3 minutes and 420 MB of disk`. */
export function takes({ seconds, bytes }: Pick<PendingMigrations, 'seconds' | 'bytes'>): string {
  const minutes = Math.ceil(seconds / 60)
  return `which may take ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and ${Math.ceil(bytes / 1e6)} MB of disk`
}

async function bytesOf({ any, dialect }: Tx): Promise<number> {
  const size =
    dialect === 'sqlite'
      ? sql<{ bytes: number }>`
          select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`
          select coalesce(sum(pg_total_relation_size(oid)), 0) as bytes from pg_class
          where relnamespace = current_schema()::regnamespace and relkind = 'r'`
  const { rows } = await size.execute(any)
  return Number(rows[0]?.bytes)
}
