import { prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { BooksAcceptanceRow } from '../database/tables.js'

/** Records that an operator accepted the books as they are. It is sealed like any other change. */
export async function recordAcceptance(tx: Tx, row: BooksAcceptanceRow): Promise<void> {
  await tx.change(insertStatement, row)
}

const insertStatement = prepared<BooksAcceptanceRow, never>((db, param) =>
  db.insertInto('books_acceptances').values({
    id: param('id'),
    reason: param('reason'),
    problem: param('problem'),
    accepted_at: param('accepted_at'),
  }),
)
