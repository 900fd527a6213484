import type { Work } from '../../engine/core/write/work.js'
import { dateOf } from '../../schema/datetime.js'
import { nothing } from '../ledger/decision.js'
import { changeDecided } from '../payments/carry-out.js'
import { countEntries } from './batch.js'
import { batchChargeOf, decideDeposit } from './decide-deposit.js'
import type { FundingAccount } from './funding-account.js'
import { earnedPostings, transferPostings } from './funding-postings.js'
import type { Made } from './told.js'

/**
 * The last part of a day is in: the deposit is processed, or it turned out to be a reversal because of what was refunded
 * meanwhile. If nothing is left to be moved it stays open and goes on at `next`. Money: "Ledger, deposits, journal".
 */
export async function finishDeposit(
  work: Work,
  batchId: string,
  account: FundingAccount,
  next: string,
): Promise<Made | undefined> {
  const row = await work.lock('transaction', batchId)
  if (row?.status !== 'processing') return undefined
  const entered = row.entered ?? 0
  const entries = await countEntries(work, batchId)
  const own = batchChargeOf(account.billing, account.batchFee, entries)
  const fee = (row.fee ?? 0) + own.fee
  const carried = (row.accrued_fee ?? 0) + own.carried
  const outcome = decideDeposit(entered, fee)
  if (outcome.kind === 'waits') {
    await work.change('transaction', batchId, { due_at: next })
    return undefined
  }
  const { kind, amount } = outcome
  if (kind !== row.type) await retype(work, batchId, kind)
  const made = await changeDecided(work, row, {
    ...nothing,
    changes: {
      type: kind,
      amount,
      fee,
      accrued_fee: carried,
      status: 'processed',
      status_code: kind === 'deposit' ? 'deposited' : 'taken_back',
      processed_date: dateOf(work.now),
      awaiting: carried > 0 ? 'bill' : null,
      due_at: null,
    },
    postings: [...earnedPostings(own), ...transferPostings(kind, amount)],
    events: [kind],
  })
  return { row: made, transactions: entries }
}

/** The entries on the other side say what it is. Rare, so that one statement may take its time. */
async function retype({ tx }: Work, batchId: string, entryType: 'deposit' | 'reversal'): Promise<void> {
  await tx.db
    .updateTable('transaction_ledgers')
    .set({ entry_type: entryType })
    .where('assoc_transaction_id', '=', batchId)
    .execute()
}
