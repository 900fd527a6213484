import type { Work } from '../../engine/core/write/work.js'
import { insertRows } from '../../engine/store/database/insert-rows.js'
import { exceptionPosting, posting, settlementPosting } from '../../resources/posting.js'
import { CURRENCY } from '../../schema/money.js'
import { ownPostingId } from './own-postings.js'
import type { Posting } from './postings.js'

/** Objects that postings belong to: each kind has a table of postings, whose second column names the object. */
const JOURNALS = {
  transaction: { table: posting.table, bookedFor: 'transaction_id', columns: Object.keys(posting.fields) },
  exception: {
    table: exceptionPosting.table,
    bookedFor: 'exception_id',
    columns: Object.keys(exceptionPosting.fields),
  },
  settlement_line: {
    table: settlementPosting.table,
    bookedFor: 'settlement_line_id',
    columns: Object.keys(settlementPosting.fields),
  },
} as const

/** Ids of postings. `own`: derived from the id of a transaction that is inserted now. `new`: ordinary ids. */
export type PostingIds = 'own' | 'new'

/** Object for which postings are booked, and its processing account; null if the account is unknown. */
interface BookedFor {
  readonly id: string
  readonly processing_id: string | null
}

/** Adds postings to the journal. See docs/money.md, "Ledger and journal". */
export async function writePostings(
  work: Work,
  kind: keyof typeof JOURNALS,
  { id: bookedForId, processing_id }: BookedFor,
  postings: readonly Posting[],
  ids: PostingIds = 'new',
): Promise<void> {
  const { table, bookedFor, columns } = JOURNALS[kind]
  const rows = postings.map(({ from, to, amount }, n) => ({
    id: ids === 'own' ? ownPostingId(bookedForId, n + 1) : work.newId(''),
    [bookedFor]: bookedForId,
    processing_id,
    currency: CURRENCY,
    from_account: from,
    to_account: to,
    amount,
    created_at: work.now,
  }))
  await insertRows(work.tx, table, columns, rows)
}
