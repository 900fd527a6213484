import { firstHash } from '../engine/store/books/log-identity.js'
import { type Head, sealedSoFar } from '../engine/store/books/seal-log.js'
import { tableExists } from '../engine/store/database/differences.js'
import { SqliteStore } from '../engine/store/sqlite/sqlite-store.js'

/** Position and identity of the sealed books in a copied database. */
export interface CopiedBooks {
  /** Last commit; `NOTHING_SEALED` for books without commits. */
  readonly head: Head
  /** Identity of the log: hash of its first commit; null if there is none. */
  readonly log: string | null
}

/** Reads the sealed books of a database file. */
export async function copiedBooks(path: string): Promise<CopiedBooks> {
  const store = new SqliteStore(path)
  try {
    return await store.read(async (tx) => ({
      head: await sealedSoFar(tx),
      log: (await tableExists(tx, 'seal_log')) ? ((await firstHash(tx)) ?? null) : null,
    }))
  } finally {
    await store.close()
  }
}
