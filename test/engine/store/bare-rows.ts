import type { Tx } from '../../../src/engine/store/database/store.js'

const at = { created_at: '2025-01-01 00:00:00', modified_at: '2025-01-01 00:00:00' }

export async function account(tx: Tx, id: string): Promise<void> {
  const row = { id, name: 'a name', type: 'customer', ...at } as const
  await tx.db.insertInto('accounts').values(row).execute()
}

export interface Amounts {
  readonly amount: number
  readonly refunded?: number
  readonly charged_back?: number
}

export async function transaction(tx: Tx, id: string, amounts: Amounts): Promise<void> {
  const row = { id, type: 'payment', ref_number: id, ...at, ...amounts } as const
  await tx.db.insertInto('transactions').values(row).execute()
}

export async function posting(
  tx: Tx,
  change: { amount?: number; to_account?: string; transaction_id?: string },
): Promise<void> {
  await transaction(tx, 'posted', { amount: 100 })
  const row = { id: 'p', transaction_id: 'posted', processing_id: 'acct_1', currency: 'USD', amount: 1 }
  const ends = { from_account: 'a', to_account: 'b', created_at: at.created_at }
  await tx.db
    .insertInto('postings')
    .values({ ...row, ...ends, ...change })
    .execute()
}
