import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { monthEndAt, wallDateAt } from '../../platform/calendar/cut-off.js'
import { dateIn, monthLength, partsOf } from '../../platform/calendar/date.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Minor } from '../../schema/money.js'
import type { Decision } from '../ledger/decision.js'
import { changeDecided } from '../payments/outcome/persist-decision.js'
import { addToBatch } from './add-to-batch.js'
import { type BillingPreference, type BillParts, billText, chargesOf, fixedFeesOf } from './decide-deposit.js'
import { expectDestination, hasDestination } from './deposit-destination.js'
import { type FundingAccount, fundingAccount } from './funding-account.js'
import { earnedPostings, transferPostings } from './funding-postings.js'
import type { FundingListener } from './funding-summary.js'
import { beginSettlementBatch, findSettlementBatch, type SettlementBatch } from './settlement-batch.js'
import { readTotals, waitingForBill } from './waiting-items.js'

/** A bill charges all fees that it includes, regardless of the account's preference. */
const BILLING: BillingPreference = 'netted_daily'

/**
 * Job that bills months. The fees that waited for the bill, the monthly fee and the amount missing to the minimum
 * become one `reversal`. It has no ledger entries, and its amount is its fee. Runs `delay` milliseconds after the
 * month's last cut-off, after its last deposit. See docs/money.md, "Fees".
 */
export function monthlyBillJob(delay: number, listener: FundingListener = {}): DueJob {
  return {
    name: 'monthly_bills',
    async next(work, after) {
      const dueAt = await nextBillDue(work, datetimeOf(after - delay))
      return dueAt === undefined ? undefined : millisecondsOf(dueAt) + delay
    },
    async run(runner, at) {
      const until = datetimeOf(at - delay)
      let count = 0
      let due: DueBill = { bill_due_at: '', id: '' }
      for (;;) {
        const last = due
        const next = await runner.read((work) => nextAccountToBill(work, until, last))
        if (next === undefined) return count
        due = next
        const { id } = next
        if (!(await hasDestination(runner, id))) continue
        const account = await runner.read((work) => fundingAccount(work, id))
        // Another process may have billed the month in the meantime.
        if ((account.billDueAt ?? '') <= until && (await billMonth(runner, account, listener))) count++
      }
    },
  }
}

/**
 * Bills the month of an account that is due, and advances the account to the next month. Returns whether there was a
 * bill.
 */
async function billMonth(
  runner: WorkRunner,
  account: FundingAccount,
  listener: FundingListener,
): Promise<boolean> {
  const { id, billDueAt: dueAt } = account
  // Only accounts with simulated payouts are billed.
  const period = account.payouts === 'simulated' ? account.billMonth : null
  if (dueAt === null) return false
  const next = monthEndAt(account.cutOff, millisecondsOf(dueAt))
  const move = { id, from: dueAt, month: next.date.slice(0, 7), to: datetimeOf(next.endsAt) }
  if (period === null) {
    await runner.write((work) => moveBill(work, move))
    return false
  }
  const batch = await openOrBegin(runner, account, period)
  if (!batch) {
    const fixed = await runner.write(async (work) => {
      await moveBill(work, move)
      return await billFixedFees(work, account, period)
    })
    if (fixed) listener.onCompleted?.({ row: fixed, transactions: 0 })
    return fixed !== undefined
  }
  await addToBatch(runner, { batchId: batch.id, group: waitingForBill(id), billing: BILLING }, listener)
  const row = await runner.write(async (work) => {
    await moveBill(work, move)
    return await completeBill(work, batch.id, account, period)
  })
  if (row) listener.onCompleted?.({ row, transactions: 0 })
  return true
}

/** Finds the month's bill if it was begun, or begins it. Returns undefined when no fees wait for the bill. */
async function openOrBegin(
  runner: WorkRunner,
  account: FundingAccount,
  period: string,
): Promise<SettlementBatch | undefined> {
  const find = (work: Work) => findSettlementBatch(work, account.id, period)
  const begun = await runner.read(find)
  if (begun) return begun
  const { feeOnly } = await readTotals(runner, waitingForBill(account.id))
  const { fee: carried } = chargesOf(BILLING, feeOnly)
  // No fees may wait only because another process has begun the bill in the meantime.
  if (carried === 0) return await runner.read(find)
  return await runner.write(async (work) => await beginBill(work, account, period, carried))
}

/**
 * Bills a month that has only fixed fees, in a single unit of work. With two, a change of settings between them could
 * leave an open bill without any fee. A month without costs has no bill.
 */
async function billFixedFees(
  work: Work,
  account: FundingAccount,
  period: string,
): Promise<TransactionRow | undefined> {
  const batch = await beginBill(work, account, period, 0)
  return batch && (await completeBill(work, batch.id, account, period))
}

async function beginBill(
  work: Work,
  account: FundingAccount,
  period: string,
  carried: Minor,
): Promise<SettlementBatch | undefined> {
  const taken = await feesTakenIn(work, account.id, period)
  const amount = carried + fixedFeesOf({ carried, taken, ...account })
  if (amount === 0) return undefined
  return await beginSettlementBatch(work, { account, period, type: 'reversal', amount, dueAt: null })
}

/** Completes a month's bill after all fees are added. */
async function completeBill(
  work: Work,
  batchId: string,
  account: FundingAccount,
  month: string,
): Promise<TransactionRow | undefined> {
  const row = await work.lock(resources.transaction, batchId)
  if (row?.status !== 'processing') return undefined
  await expectDestination(work, row)
  const taken = await feesTakenIn(work, account.id, month)
  const today = wallDateAt(account.cutOff, work.milliseconds)
  return await changeDecided(
    work,
    row,
    decideBill({ ...account, carried: row.fee ?? 0, taken }, month, today),
  )
}

/** Decides the changes that complete a bill; the carried fees are already added. */
function decideBill(parts: BillParts, month: string, today: string): Decision {
  const fixed = fixedFeesOf(parts)
  const amount = parts.carried + fixed
  return {
    changes: {
      amount,
      fee: amount,
      description: billText(month, parts),
      status: 'processed',
      status_code: 'taken_back',
      processed_date: today,
      awaiting: null,
      due_at: null,
    },
    entries: [],
    postings: [...earnedPostings({ fee: fixed, carried: 0 }), ...transferPostings('reversal', amount)],
    events: ['reversal'],
  }
}

/** The first datetime after `after` at which a month's bill is due. */
async function nextBillDue({ tx }: Work, after: string): Promise<string | undefined> {
  const [first] = await tx.run(firstBillAfter, { after })
  return first?.bill_due_at
}

interface DueBill {
  readonly bill_due_at: string
  readonly id: string
}

/** The next processing account after `last`, in the order of time, whose bill is due at `until` or earlier. */
async function nextAccountToBill({ tx }: Work, until: string, last: DueBill): Promise<DueBill | undefined> {
  const [first] = await tx.run(firstBillUntil, { until, after: last.bill_due_at, afterId: last.id })
  return first
}

/** Processing accounts whose bill is due by a datetime. */
export async function accountsToBill({ tx }: Work, until: string): Promise<string[]> {
  const rows = await tx.db
    .selectFrom('accounts')
    .select('id')
    .where('bill_due_at', '<=', until)
    .where('deleted_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

/** Advances an account to the next month's bill, unless another process has done so. */
async function moveBill({ tx }: Work, move: Move): Promise<void> {
  await tx.change(moveFrom, move)
}

/** The fees that the deposits of a month have charged. */
async function feesTakenIn({ tx }: Work, processingId: string, month: string): Promise<Minor> {
  const { year, month: number } = partsOf(`${month}-01`)
  const days = Array.from({ length: monthLength(year, number) }, (_, n) => dateIn(year, number, n + 1))
  const { taken } = await tx.db
    .selectFrom('transactions')
    .select((eb) => eb.fn.sum<number | null>('fee').as('taken'))
    .where('period', 'in', days)
    .where('processing_id', '=', processingId)
    .executeTakeFirstOrThrow()
  return taken ?? 0
}

const firstBillAfter = prepared<{ after: string }, { bill_due_at: string }>((db, param) =>
  db
    .selectFrom('accounts')
    .select(sql<string>`bill_due_at`.as('bill_due_at'))
    .where('bill_due_at', '>', param('after'))
    .where('deleted_at', 'is', null)
    .orderBy('bill_due_at')
    .limit(1),
)

const firstBillUntil = prepared<{ until: string; after: string; afterId: string }, DueBill>((db, param) =>
  db
    .selectFrom('accounts')
    .select([sql<string>`bill_due_at`.as('bill_due_at'), 'id'])
    .where('bill_due_at', '<=', param('until'))
    .where(sql<boolean>`(bill_due_at, id) > (${param('after')}, ${param('afterId')})`)
    .where('deleted_at', 'is', null)
    .orderBy('bill_due_at')
    .orderBy('id')
    .limit(1),
)

interface Move {
  readonly id: string
  readonly from: string
  readonly month: string
  readonly to: string
}

const moveFrom = prepared<Move, never>((db, param) =>
  db
    .updateTable('accounts')
    .set({ bill_month: param('month'), bill_due_at: param('to') })
    .where('id', '=', param('id'))
    .where('bill_due_at', '=', param('from')),
)
