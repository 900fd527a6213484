import type { Work } from '../../engine/core/write/work.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import type { LedgerRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'

/** A transaction with the amount of a deposit or reversal, in minor units: below zero if money is taken. */
export interface PaidItem extends Pick<TransactionRow, 'id' | 'type'> {
  readonly amount: number
}

const COLUMNS = [
  'id',
  'created_at',
  'modified_at',
  'amount',
  'assoc_transaction_id',
  'entry_type',
  'transaction_id',
  'timestamp',
] as const satisfies readonly (keyof LedgerRow)[]

/** Writes the entry and the contra entry of each item that is paid out. */
export async function writePayoutEntries(
  work: Work,
  payout: Pick<TransactionRow, 'id' | 'type'>,
  items: readonly PaidItem[],
): Promise<void> {
  const entries = items.flatMap(({ id, type, amount }) => [
    { transaction_id: id, assoc_transaction_id: payout.id, entry_type: payout.type, amount: -amount },
    { transaction_id: payout.id, assoc_transaction_id: id, entry_type: type, amount },
  ])
  const rows = entries.map((entry) => ({
    ...entry,
    id: work.newId(resources.transaction_ledger.prefix),
    created_at: work.now,
    modified_at: work.now,
    timestamp: work.now,
  }))
  await insertRows(work.tx, 'transaction_ledgers', COLUMNS, rows)
}
