import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import { payoutsOf } from '../ledger/payouts.js'
import { lossPostings } from '../ledger/postings.js'
import { writePostings } from '../ledger/write-postings.js'

/** Books what is at stake as our loss: the processor takes it from us. Money: "Ledger, deposits, journal". */
export async function bookLoss(
  work: Work,
  exception: Pick<ExceptionRow, 'id' | 'processing_id' | 'amount'>,
): Promise<void> {
  const postings = lossPostings(exception.amount ?? 0, await payoutsOf(work, exception))
  await writePostings(work, 'exception', exception, postings)
}
