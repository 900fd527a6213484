import { appendToLog, type Head, type KeyedHash, lastSealed } from '../engine/store/books/seal-log.js'
import type { Environment, Tx } from '../engine/store/database/store.js'
import { SqliteStore } from '../engine/store/sqlite/sqlite-store.js'

interface Restored {
  readonly environment: Environment
  /** When the backup was made, and what time it is. Datetimes (UTC). */
  readonly since: string
  readonly now: string
  readonly keyed: KeyedHash
}

/**
 * Notes in a copy that is about to be restored that gateways have to be asked what it has forgotten: in live always, as one may
 * have been connected later; in test where there is one. The note is sealed. Returns the head of the copy's books.
 */
export async function noteRestored(path: string, restored: Restored): Promise<Head> {
  const store = new SqliteStore(path)
  try {
    return await store.write(async (tx) => {
      if (restored.environment === 'live' || (await hasGateway(tx))) await noteForgotten(tx, restored)
      let end = await lastSealed(tx)
      for (const entries of tx.unsealed?.take() ?? [])
        end = await appendToLog(tx, end, entries, restored.keyed)
      return { number: end.number, hash: end.hash }
    })
  } finally {
    await store.close()
  }
}

async function hasGateway({ db }: Tx): Promise<boolean> {
  const gateway = await db
    .selectFrom('admin_gateways')
    .select('id')
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return gateway !== undefined
}

/** A copy that was restored before, and had not caught up, has forgotten more. */
async function noteForgotten({ db }: Tx, { since, now }: Restored): Promise<void> {
  const open = await db.selectFrom('catch_ups').select('since').executeTakeFirst()
  const earliest = open && open.since < since ? open.since : since
  await db
    .insertInto('catch_ups')
    .values({ id: 'catch_up', since: earliest, restored_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ since: earliest }))
    .execute()
}
