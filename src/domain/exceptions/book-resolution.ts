import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import { type Payouts, payoutsOf } from '../ledger/payouts.js'
import {
  costPostings,
  lossPostings,
  ownTransferPostings,
  type Posting,
  paidOtherwisePostings,
  reservePostings,
  reserveReleasedPostings,
  reversed,
} from '../ledger/postings.js'
import { writePostings } from '../ledger/write-postings.js'
import type { Resolution } from './raise-exception.js'

type Booked = Pick<ExceptionRow, 'id' | 'processing_id' | 'amount' | 'direction'>

/** Books the amount of an exception as its resolution says. See docs/money.md, "Ledger and journal". */
export async function bookResolution(work: Work, resolution: Resolution, exception: Booked): Promise<void> {
  const postings = resolutionPostings(resolution, exception, await payoutsOf(work, exception))
  await writePostings(work, 'exception', exception, postings)
}

/** Reverses the postings of a loss that was paid after all. Postings are never removed from the journal. */
export async function undoLoss(work: Work, exception: Booked): Promise<void> {
  const postings = resolutionPostings('loss', exception, await payoutsOf(work, exception))
  await writePostings(work, 'exception', exception, reversed(postings))
}

/**
 * Postings that a resolution makes for the exception itself. Its other postings belong to a transaction or a line of
 * a settlement.
 */
export function resolutionPostings(
  resolution: Resolution,
  { amount: stake, direction: stated }: Pick<ExceptionRow, 'amount' | 'direction'>,
  payouts: Payouts,
): Posting[] {
  const amount = stake ?? 0
  const direction = stated ?? 'taken'
  switch (resolution) {
    case 'loss':
      return lossPostings(amount, payouts)
    case 'cost':
      return costPostings(amount, direction, payouts)
    case 'reserve':
      return reservePostings(amount)
    case 'reserve_released':
      return reserveReleasedPostings(amount)
    case 'transfer':
      return ownTransferPostings(amount, direction)
    case 'paid_otherwise':
      return paidOtherwisePostings(amount, payouts)
    case 'ignore':
    case 'refund':
    case 'link':
    case 'retry':
    case 'failed':
    case 'partial':
      return []
  }
}
