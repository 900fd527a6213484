import type { TransactionRow } from '../../engine/store/database/tables.js'

/** A declined transaction is stored and yet answered as an error. Decisions: "Errors". */
export function isDeclinedAnswer(row: TransactionRow) {
  if (row.status !== 'declined') return undefined
  return { type: 'TransactionDeclined', description: row.status_message ?? 'Declined' } as const
}
