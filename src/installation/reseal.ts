import { setTimeout as pause } from 'node:timers/promises'
import { databaseTime, oldestWork, takeRows } from '../engine/store/database/differences.js'
import type { Store, Tx } from '../engine/store/database/store.js'
import { StoreError } from '../engine/store/database/store-error.js'
import type { Keyring } from '../engine/store/vault/keyring.js'
import {
  isUnderOlderKey,
  type SealedColumn,
  sealedColumnsByTable,
  sealedPlace,
} from '../engine/store/vault/sealed-columns.js'
import { SealBroken, type Vault } from '../engine/store/vault/vault.js'
import type { Row } from '../schema/columns.js'

/**
 * Maximum number of rows in one unit of work, and milliseconds between two units of work. Other requests therefore wait
 * only briefly.
 */
const BATCH_SIZE = 100
const PAUSE = 2
/** Maximum milliseconds to wait for units of work that may still use the previous key. */
const MAX_WAIT = 60_000

export interface Resealed {
  /** Number of values that were renewed under the current key. */
  readonly count: number
  /** Values that cannot be decrypted, with the reason. */
  readonly broken: readonly string[]
}

/**
 * Renews every encrypted value and number hash of a database under the current key while the service runs.
 * It works in short units of work that are safe to repeat. A value that cannot be decrypted is not changed.
 * Throws a `StoreError`: `busy` if a unit of work from before the rotation does not end.
 */
export async function resealAll(store: Store, vault: Vault, keyring: Keyring): Promise<Resealed> {
  const tables = sealedColumnsByTable()
  const broken = new Map<string, string>()
  let count = 0
  for (;;) {
    await earlierWorkEnded(store)
    for (const [name, columns] of tables)
      count += await resealTable(store, { name, vault, keyring, columns, broken })
    if (!(await isLeft(store, keyring, tables, broken))) return { count, broken: [...broken.values()] }
    await pause(PAUSE)
  }
}

/** Table whose values are renewed under the current key. */
interface Table {
  readonly name: string
  readonly vault: Vault
  readonly keyring: Keyring
  readonly columns: readonly SealedColumn[]
  readonly broken: Map<string, string>
}

async function resealTable(store: Store, table: Table): Promise<number> {
  let count = 0
  let last: string | undefined = ''
  while (last !== undefined) {
    const after: string = last
    const batch = await store.write(async (tx) => await resealBatch(tx, table, after))
    count += batch.count
    last = batch.last
    if (last !== undefined) await pause(PAUSE)
  }
  return count
}

/**
 * Renews values in rows after an id under the current key. Returns their number, and the last id if more
 * rows may follow.
 */
async function resealBatch(
  tx: Tx,
  table: Table,
  after: string,
): Promise<{ count: number; last: string | undefined }> {
  const { keyring, name, columns } = table
  const query = tx.any
    .selectFrom(name)
    .select(['id', ...new Set(columns.flatMap((column) => [column.name, ...column.boundTo]))])
    .where('id', '>', after)
    .where((eb) => eb.or(columns.map((column) => isUnderOlderKey(keyring, column))))
    .orderBy('id')
    .limit(BATCH_SIZE)
  const rows = await takeRows(tx.dialect, query).execute()
  let count = 0
  for (const row of rows) {
    const id = String(row['id'])
    const changes = renewed(table, row)
    const names = Object.keys(changes)
    if (names.length === 0) continue
    await tx.any.updateTable(name).set(changes).where('id', '=', id).execute()
    count += names.length
  }
  return { count, last: rows.length < BATCH_SIZE ? undefined : String(rows.at(-1)?.['id']) }
}

/** Columns of a row with renewed values; values that cannot be decrypted are added to `broken`. */
function renewed({ vault, keyring, name: table, columns, broken }: Table, row: Row): Row {
  const id = String(row['id'])
  const changes: Row = {}
  for (const { name, content } of columns) {
    const value = row[name]
    if (typeof value !== 'string' || (content === 'sealed' && value.startsWith(`${keyring.current}.`)))
      continue
    const place = sealedPlace(table, name, row)
    try {
      const made =
        content === 'sealed' ? vault.seal(vault.open(value, place), place) : vault.rehashNumber(value, place)
      if (made !== value) changes[name] = made
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error
      broken.set(`${table} ${id}`, error.message)
    }
  }
  return changes
}

/** Whether a value that can be decrypted is not under the current key yet. */
async function isLeft(
  store: Store,
  keyring: Keyring,
  tables: ReturnType<typeof sealedColumnsByTable>,
  broken: ReadonlyMap<string, string>,
): Promise<boolean> {
  return await store.read(async ({ any }) => {
    for (const [table, columns] of tables) {
      const rows = await any
        .selectFrom(table)
        .select('id')
        .where((eb) => eb.or(columns.map((column) => isUnderOlderKey(keyring, column))))
        .limit(broken.size + 1)
        .execute()
      if (rows.some(({ id }) => !broken.has(`${table} ${id}`))) return true
    }
    return false
  })
}

/**
 * Waits until all units of work that are running now have ended, because they may still write values under
 * the previous key.
 */
export async function earlierWorkEnded(store: Store): Promise<void> {
  const now = await store.read(databaseTime)
  for (let waited = 0; ; waited += 100) {
    const oldest = await store.read(oldestWork)
    if (oldest === undefined || oldest > now) return
    if (waited >= MAX_WAIT)
      throw new StoreError(
        'busy',
        'A transaction on the database does not end; end it (pg_stat_activity shows it), then run payctl vault rotate again.',
      )
    await pause(100)
  }
}
