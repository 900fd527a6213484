import { prepared } from '../../src/engine/store/database/prepared.js'
import type { Store, Tx } from '../../src/engine/store/database/store.js'

/** Inserts an account with a counter, for tests of stores that need rows to insert and counters to increment. */
const insertion = prepared<{ id: string }, unknown>((db, param) =>
  db.insertInto('accounts').values({
    id: param('id'),
    name: 'a counter',
    type: 'customer',
    transaction_limit: 0,
    created_at: '2025-01-01 00:00:00',
    modified_at: '2025-01-01 00:00:00',
  }),
)
const raise = prepared<{ id: string }, unknown>((db, param) =>
  db
    .updateTable('accounts')
    .set((eb) => ({ transaction_limit: eb('transaction_limit', '+', 1) }))
    .where('id', '=', param('id')),
)

/** Inserts a row unless it exists, because another process may have inserted it first. */
export async function insertOnce(tx: Tx, id: string): Promise<void> {
  const row = { id, name: 'a counter', type: 'customer', transaction_limit: 0 } as const
  const at = '2025-01-01 00:00:00'
  const insertion = tx.db.insertInto('accounts').values({ ...row, created_at: at, modified_at: at })
  await insertion.onConflict((conflict) => conflict.doNothing()).execute()
}

export const insert = (tx: Tx, id: string): Promise<number> => tx.change(insertion, { id })
export const increment = (tx: Tx, id: string): Promise<number> => tx.change(raise, { id })

export async function idsIn(tx: Tx): Promise<string[]> {
  const rows = await tx.db.selectFrom('accounts').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

export const storedIds = (store: Store): Promise<string[]> => store.read(idsIn)

export async function counted(store: Store, id: string): Promise<number | null | undefined> {
  const query = (tx: Tx) => tx.db.selectFrom('accounts').select('transaction_limit').where('id', '=', id)
  return (await store.read((tx) => query(tx).executeTakeFirst()))?.transaction_limit
}
