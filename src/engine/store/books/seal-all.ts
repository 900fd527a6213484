import { sql } from 'kysely'
import { lockTable } from '../database/differences.js'
import type { Tx } from '../database/store.js'
import { appendToLog, type KeyedHash, lastSealed } from './seal-log.js'
import { MAX_ENTRIES, SealedChanges } from './sealed-changes.js'
import { type SealedTable, sealedTables } from './sealed-table.js'

/** So many rows are read at once. */
const PAGE = 1_000

/** Seals every row of sealed tables as it is, page by page. */
export async function sealAll(
  tx: Tx,
  keyed: KeyedHash,
  tables: Iterable<SealedTable> = sealedTables().values(),
): Promise<void> {
  // What others have put into the queue meanwhile is sealed behind this.
  await lockTable(tx, 'seal_log')
  const changes = new SealedChanges()
  let head = await lastSealed(tx)
  const seal = async () => {
    for (const entries of changes.take()) head = await appendToLog(tx, head, entries, keyed)
  }
  for (const table of tables) {
    for await (const values of rowsOf(tx, table)) {
      if (table.followsFromAnother(values)) continue
      changes.add([{ table, values }])
      if (changes.count === MAX_ENTRIES) await seal()
    }
  }
  await seal()
}

async function* rowsOf({ any }: Tx, table: SealedTable): AsyncGenerator<readonly unknown[]> {
  let rows: readonly unknown[][] = []
  let after = ''
  do {
    const page = await any
      .selectFrom(table.table)
      .select(table.columns.map(({ column }) => column))
      .where(sql.ref('id'), '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    rows = page.map((row) => table.valuesOf(row))
    yield* rows
    after = table.idOf(rows.at(-1) ?? [])
  } while (rows.length === PAGE)
}
