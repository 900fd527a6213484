import type { Work } from '../../engine/core/write/work.js'
import type { DueJob, WorkRunner } from '../../engine/jobs/due-job.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { businessDayAt, lastCutOff, wallDateAt } from '../../platform/calendar/cut-off.js'
import { resources } from '../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'
import type { Decision } from '../ledger/decision.js'
import { changeDecided } from '../payments/outcome/persist-decision.js'
import { addToBatch, postponePart } from './add-to-batch.js'
import {
  addCharges,
  batchChargeOf,
  billingOf,
  decideDeposit,
  expectedDeposit,
  notBegun,
} from './decide-deposit.js'
import { expectDestination, hasDestination } from './deposit-destination.js'
import { type DueGroup, nextDueAt, nextDueGroup } from './due-groups.js'
import { type FundingAccount, fundingAccount } from './funding-account.js'
import { earnedPostings, transferPostings } from './funding-postings.js'
import type { FundingListener } from './funding-summary.js'
import {
  beginSettlementBatch,
  countEntries,
  findOpenDeposit,
  findSettlementBatch,
  type SettlementBatch,
} from './settlement-batch.js'
import { type Awaiting, hasItems, readTotals, type WaitingGroup } from './waiting-items.js'

/**
 * Job that pays out captured payments: one deposit (or reversal) for each processing account and business day. A
 * deposit is put together in short units of work; after an interruption the same deposit is continued. Runs `delay`
 * milliseconds after the cut-off. See docs/money.md, "Cut-off and deposits".
 */
export function depositJob(delay: number, listener: FundingListener = {}): DueJob {
  return {
    name: 'funding',
    async next(work, after) {
      const from = datetimeOf(after - delay)
      const moments = [await nextDueAt(work, 'parts', from), await nextDueAt(work, 'funding', from)]
      const [first] = moments.filter((moment) => moment !== undefined).sort()
      return first === undefined ? undefined : millisecondsOf(first) + delay
    },
    async run(runner, at) {
      const until = datetimeOf(at - delay)
      let count = 0
      for (const awaiting of ['parts', 'funding'] as const)
        for await (const due of dueGroups(runner, awaiting, until))
          if (await hasDestination(runner, due.processingId))
            count += await makeDeposit(runner, due, listener)
      return count
    },
  }
}

/**
 * Groups that are due at a datetime or earlier, in the order of time. A group that is not paid out stays due; this
 * run passes it over, and the next run finds it again.
 */
async function* dueGroups({ read }: WorkRunner, awaiting: Awaiting, until: string): AsyncGenerator<DueGroup> {
  let due: DueGroup | undefined
  do {
    const last: DueGroup | undefined = due
    due = await read((work) => nextDueGroup(work, awaiting, until, last))
    if (due) yield due
  } while (due)
}

/**
 * Pays out a group, or postpones it if no amount is to be paid. Returns the number of transactions added to the
 * deposit.
 */
async function makeDeposit(runner: WorkRunner, due: DueGroup, listener: FundingListener): Promise<number> {
  const account = await runner.read((work) => fundingAccount(work, due.processingId))
  const group: WaitingGroup = { awaiting: 'funding', ...due }
  const next = datetimeOf(businessDayAt(account.cutOff, millisecondsOf(due.dueAt)).endsAt)
  const batch = await openOrBegin(runner, account, due)
  if (!batch) {
    while (await runner.read((work) => hasItems(work, group)))
      await runner.write((work) => postponePart(work, group, account.billing, next))
    return 0
  }
  const count = await addToBatch(runner, { batchId: batch.id, group, billing: account.billing }, listener)
  const completed = await runner.write((work) => completeDeposit(work, batch.id, account, next))
  if (completed) listener.onCompleted?.(completed)
  return count
}

/**
 * Finds the account's open deposit, or begins one for the day. Returns undefined if no amount is to be paid out
 * today, or if the day has its deposit already.
 */
async function openOrBegin(
  runner: WorkRunner,
  account: FundingAccount,
  due: DueGroup,
): Promise<SettlementBatch | undefined> {
  const { date: period } = lastCutOff(account.cutOff, millisecondsOf(due.dueAt))
  // One read: with two, a deposit that another process begins in between would be taken for a completed one.
  const { open, ofDay } = await runner.read(async (work) => ({
    open: await findOpenDeposit(work, account.id, due.dueAt),
    ofDay: await findSettlementBatch(work, account.id, period),
  }))
  if (open) return open
  if (ofDay) return undefined
  const group = await readTotals(runner, { awaiting: 'funding', ...due })
  const { outcome } = expectedDeposit({ ...account, group, begun: notBegun })
  // No amount may be left only because another process has begun the deposit in the meantime.
  if (outcome.kind === 'waits')
    return await runner.read((work) => findOpenDeposit(work, account.id, due.dueAt))
  const { kind: type, amount } = outcome
  const batch = await runner.write((work) =>
    beginSettlementBatch(work, { account, period, type, amount, dueAt: due.dueAt }),
  )
  return batch?.status === 'processing' ? batch : undefined
}

/**
 * Completes a deposit after all parts are added. Refunds since it was begun may turn it into a reversal. With no
 * amount left to pay, it stays open and continues at `next`. See docs/money.md, "Cut-off and deposits".
 */
async function completeDeposit(work: Work, batchId: string, account: FundingAccount, next: string) {
  const batch = await work.lock(resources.transaction, batchId)
  if (batch?.status !== 'processing') return undefined
  await expectDestination(work, batch)
  const transactions = await countEntries(work, batchId)
  const today = wallDateAt(account.cutOff, work.milliseconds)
  const completion = decideCompletion(batch, transactions, account, today)
  if (!completion) {
    await work.change(resources.transaction, batchId, { due_at: next })
    return undefined
  }
  const { type, decision } = completion
  if (type !== batch.type) await changeEntryType(work, batchId, type)
  return { row: await changeDecided(work, batch, decision), transactions }
}

/** Decides the changes that complete a deposit; undefined when it has to wait. */
function decideCompletion(
  batch: TransactionRow,
  entries: number,
  { billing, batchFee }: FundingAccount,
  today: string,
): { readonly type: 'deposit' | 'reversal'; readonly decision: Decision } | undefined {
  const begun = { fee: batch.fee ?? 0, carried: batch.accrued_fee ?? 0 }
  const charge = batchChargeOf(billingOf(begun, billing), batchFee, entries)
  const { fee, carried } = addCharges(begun, charge)
  const outcome = decideDeposit(batch.entered ?? 0, fee)
  if (outcome.kind === 'waits') return undefined
  const { kind: type, amount } = outcome
  const decision: Decision = {
    changes: {
      type,
      amount,
      fee,
      accrued_fee: carried,
      status: 'processed',
      status_code: type === 'deposit' ? 'deposited' : 'taken_back',
      processed_date: today,
      awaiting: carried > 0 ? 'bill' : null,
      due_at: null,
    },
    entries: [],
    postings: [...earnedPostings(charge), ...transferPostings(type, amount)],
    events: [type],
  }
  return { type, decision }
}

/**
 * Changes the `entry_type` of the ledger entries that name a batch. One statement changes them all, because this is
 * rare.
 */
async function changeEntryType(
  { tx }: Work,
  batchId: string,
  entryType: 'deposit' | 'reversal',
): Promise<void> {
  await tx.db
    .updateTable('transaction_ledgers')
    .set({ entry_type: entryType })
    .where('assoc_transaction_id', '=', batchId)
    .execute()
}
