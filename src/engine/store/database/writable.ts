import { sql } from 'kysely'
import type { Store } from './store.js'

/**
 * Throws a `StoreError` when nothing can be written now: the database is read-only, locked or taken away. Changes
 * nothing.
 */
export async function expectWritable(store: Store): Promise<void> {
  await store.write(
    (tx) => tx.any.updateTable('migrations').set({ name: '' }).where(sql<boolean>`1 = 0`).execute(),
    { discard: true },
  )
}
