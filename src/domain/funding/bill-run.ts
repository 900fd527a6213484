import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/job.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { monthEndAt } from '../../platform/calendar/cut-off.js'
import { dateOf, datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import { nothing } from '../ledger/decision.js'
import { changeDecided } from '../payments/carry-out.js'
import { type Batch, beginBatch, findBatch } from './batch.js'
import { carriedBy, feesTakenIn, moveBill, nextBill, nextBillDue } from './bill-month.js'
import { fixedFeesOf } from './decide-bill.js'
import { type Billing, chargesOf } from './decide-deposit.js'
import { type FundingAccount, fundingAccount } from './funding-account.js'
import { earnedPostings, transferPostings } from './funding-postings.js'
import { addParts } from './funding-run.js'
import { readTotals } from './read-totals.js'
import type { Told } from './told.js'

/** A bill charges what it takes, whatever the account's preference. */
const BILLING: Billing = 'netted_daily'

/**
 * Bills months: what fees waited for it, the monthly fee and what is missing to the minimum become one `reversal`
 * whose amount is its fee, without entries. It comes `delay` milliseconds after the month's last cut-off, after the
 * funding run. Money: "Fees".
 */
export function monthlyBills(delay: number, told: Told = {}): DueJob {
  return {
    name: 'monthly_bills',
    async next(work, after) {
      const dueAt = await nextBillDue(work, datetimeOf(after - delay))
      return dueAt === undefined ? undefined : millisecondsOf(dueAt) + delay
    },
    async run(runner, at) {
      const until = datetimeOf(at - delay)
      let count = 0
      for (;;) {
        const id = await runner.read((work) => nextBill(work, until))
        if (id === undefined) return count
        const account = await runner.read((work) => fundingAccount(work, id))
        // Another process may have billed it meanwhile.
        if ((account.billDueAt ?? '') <= until && (await bill(runner, account, told))) count++
      }
    },
  }
}

/** Answers whether there was anything to be billed. */
async function bill(runner: WorkRunner, account: FundingAccount, told: Told): Promise<boolean> {
  const { billMonth: period, billDueAt: dueAt } = account
  if (dueAt === null) return false
  const next = monthEndAt(account.cutOff, millisecondsOf(dueAt))
  const move = { id: account.id, from: dueAt, month: next.date.slice(0, 7), to: datetimeOf(next.endsAt) }
  const batch = period === null ? undefined : await openOrBegin(runner, account, period)
  if (period === null || !batch) {
    await runner.write((work) => moveBill(work, move))
    return false
  }
  await addParts(runner, { batchId: batch.id, group: carriedBy(account.id), billing: BILLING }, told)
  const row = await runner.write(async (work) => {
    await moveBill(work, move)
    return await finishBill(work, batch.id, account, period)
  })
  if (row) told.made?.({ row, transactions: 0 })
  return true
}

/** Nothing when the month costs nothing. */
async function openOrBegin(
  runner: WorkRunner,
  account: FundingAccount,
  period: string,
): Promise<Batch | undefined> {
  const begun = await runner.read((work) => findBatch(work, account.id, period))
  if (begun) return begun
  const amount = await expectedFee(runner, account, period)
  const beginning = { account, period, type: 'reversal', amount, dueAt: null } as const
  return amount === 0 ? undefined : await runner.write((work) => beginBatch(work, beginning))
}

async function expectedFee(runner: WorkRunner, account: FundingAccount, month: string): Promise<Minor> {
  const { lone } = await readTotals(runner, carriedBy(account.id))
  const { fee: carried } = chargesOf(BILLING, lone)
  return carried + (await runner.read((work) => fixedFees(work, account, month, carried)))
}

async function fixedFees(
  work: Work,
  { id, monthlyFee, minimumBill: minimum }: FundingAccount,
  month: string,
  carried: Minor,
): Promise<Minor> {
  const taken = await feesTakenIn(work, id, month)
  return fixedFeesOf({ carried, taken, monthlyFee, minimum })
}

/** The last part of a month's bill is in. */
async function finishBill(
  work: Work,
  batchId: string,
  account: FundingAccount,
  month: string,
): Promise<TransactionRow | undefined> {
  const row = await work.lock('transaction', batchId)
  if (row?.status !== 'processing') return undefined
  const carried = row.fee ?? 0
  const fixed = await fixedFees(work, account, month, carried)
  const amount = carried + fixed
  return await changeDecided(work, row, {
    ...nothing,
    changes: {
      amount,
      fee: amount,
      status: 'processed',
      status_code: 'taken_back',
      processed_date: dateOf(work.now),
      awaiting: null,
      due_at: null,
    },
    postings: [...earnedPostings({ fee: fixed, carried: 0 }), ...transferPostings('reversal', amount)],
    events: ['reversal'],
  })
}
