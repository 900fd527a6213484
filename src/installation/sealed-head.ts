import { type Head, lastSealed, NOTHING_SEALED } from '../engine/store/books/seal-log.js'
import { tableExists } from '../engine/store/database/differences.js'
import { SqliteStore } from '../engine/store/sqlite/store.js'

/** How far the books of a database file are sealed; `NOTHING_SEALED` for a database from before there was sealing. */
export async function sealedHead(path: string): Promise<Head> {
  const store = new SqliteStore(path)
  try {
    return await store.read(async (tx) =>
      (await tableExists(tx, 'seal_log')) ? await lastSealed(tx) : NOTHING_SEALED,
    )
  } finally {
    await store.close()
  }
}
