import { type Head, sealedSoFar } from '../engine/store/books/seal-log.js'
import { SqliteStore } from '../engine/store/sqlite/sqlite-store.js'

/** Head of the sealed books of a database file; `NOTHING_SEALED` for a database from before there was sealing. */
export async function sealedHead(path: string): Promise<Head> {
  const store = new SqliteStore(path)
  try {
    return await store.read(sealedSoFar)
  } finally {
    await store.close()
  }
}
