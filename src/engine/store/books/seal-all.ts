import { lockTable, tableExists } from '../database/differences.js'
import type { Tx } from '../database/store.js'
import { appendAsText, type KeyedHash, lastSealed } from './seal-log.js'
import { MAX_ENTRIES, SealedChanges } from './sealed-changes.js'
import { readSealedRows, type SealedRow } from './sealed-row.js'
import { type SealedTable, sealedTables } from './sealed-table.js'

/** How many rows are read at once. */
const PAGE = 1_000

/** Seals every row of sealed tables as it is now, page by page. */
export async function sealAll(
  tx: Tx,
  keyed: KeyedHash,
  tables: Iterable<SealedTable> = sealedTables().values(),
): Promise<void> {
  // What others have queued in the meantime is sealed after this.
  await lockTable(tx, 'seal_log')
  const changes = new SealedChanges()
  let head = await lastSealed(tx)
  const seal = async () => {
    for (const entries of changes.take()) head = await appendAsText(tx, head, entries, keyed)
  }
  for (const table of tables) {
    // A later migration makes it.
    if (!(await tableExists(tx, table.table))) continue
    for await (const row of rowsOf(tx, table)) {
      if (table.followsFromAnother(row.values)) continue
      changes.add([row])
      if (changes.count === MAX_ENTRIES) await seal()
    }
  }
  await seal()
}

async function* rowsOf(tx: Tx, table: SealedTable): AsyncGenerator<SealedRow> {
  let rows: readonly SealedRow[] = []
  let after = ''
  do {
    rows = await readSealedRows(tx, table, after, PAGE)
    yield* rows
    after = table.idOf(rows.at(-1)?.values ?? [])
  } while (rows.length === PAGE)
}
