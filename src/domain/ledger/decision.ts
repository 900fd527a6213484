import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { TransactionTrigger } from '../../resources/trigger.js'
import type { LedgerEntry } from './ledger-entry.js'
import type { Posting } from './postings.js'

/**
 * Changes that follow for one transaction: columns, ledger entries, postings and events. A decision is made without
 * clock, ids or network. The caller persists it in one unit of work.
 */
export interface Decision {
  readonly changes: Partial<TransactionRow>
  readonly entries: readonly LedgerEntry[]
  readonly postings: readonly Posting[]
  readonly events: readonly TransactionTrigger[]
}

export const nothing: Decision = { changes: {}, entries: [], postings: [], events: [] }
