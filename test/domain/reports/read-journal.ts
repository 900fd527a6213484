import type { PostingRow } from '../../../src/engine/store/database/tables.js'
import type { TestCore } from '../../support/core.js'

/** A posting as its table has it. */
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
