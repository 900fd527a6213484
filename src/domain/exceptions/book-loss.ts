import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import { payoutsOf } from '../ledger/payouts.js'
import { lossPostings, type Posting, reversed } from '../ledger/postings.js'
import { writePostings } from '../ledger/write-postings.js'

type Lost = Pick<ExceptionRow, 'id' | 'processing_id' | 'amount'>

/** Books the amount at stake as our loss, as the processor takes it from us. Money: "Ledger, deposits, journal". */
export async function bookLoss(work: Work, exception: Lost): Promise<void> {
  await writePostings(work, 'exception', exception, await postingsOfLoss(work, exception))
}

/** Reverses a loss that was paid after all. Journal entries are only ever added. */
export async function undoLoss(work: Work, exception: Lost): Promise<void> {
  await writePostings(work, 'exception', exception, reversed(await postingsOfLoss(work, exception)))
}

async function postingsOfLoss(work: Work, exception: Lost): Promise<Posting[]> {
  return lossPostings(exception.amount ?? 0, await payoutsOf(work, exception))
}
