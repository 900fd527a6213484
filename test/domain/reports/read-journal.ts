import type { PostingRow } from '../../../src/engine/store/database/tables.js'
import type { TestCore } from '../../support/core.js'

/** Common columns of the stored postings of transactions, settlements and exceptions; amounts in cents. */
export type BookedPosting = Omit<PostingRow, 'transaction_id' | 'processing_id'> & {
  readonly processing_id: string | null
}

/** All postings of the three tables, read without the code of the reports. */
export async function readJournal({ environment }: TestCore): Promise<readonly BookedPosting[]> {
  return await environment.core.read(async ({ tx: { db } }) => [
    ...(await db.selectFrom('postings').selectAll().execute()),
    ...(await db.selectFrom('exception_postings').selectAll().execute()),
    ...(await db.selectFrom('settlement_postings').selectAll().execute()),
  ])
}
