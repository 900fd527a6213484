import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Decision } from '../ledger/decision.js'
import { writePayoutEntries } from '../ledger/payout-entries.js'
import { changeDecided } from '../payments/outcome/persist-decision.js'
import { type BillingPreference, billingOf, chargesOf } from './decide-deposit.js'
import { dueOf, type FundingItem, sortItems, totalsOf } from './funding-item.js'
import { partPostings } from './funding-postings.js'
import type { FundingListener } from './funding-summary.js'
import { hasItems, readItems, type WaitingGroup } from './waiting-items.js'

/** Transactions that are added to a batch, which is a deposit, a reversal or a month's bill. */
export interface BatchFilling {
  readonly batchId: string
  readonly group: WaitingGroup
  /**
   * The account's preference: fees are charged now, or carried to the month's bill. A started batch keeps its mode.
   */
  readonly billing: BillingPreference
}

/** Adds a whole group to a batch, one part in each unit of work; returns the number of transactions. */
export async function addToBatch(
  runner: WorkRunner,
  filling: BatchFilling,
  listener: FundingListener,
): Promise<number> {
  let count = 0
  let after = ''
  while (await runner.read((work) => hasItems(work, filling.group, after))) {
    const part = await runner.write((work) => addPart(work, filling, after))
    if (!part) return count
    after = part.last
    count += part.count
    listener.onAdded?.(part.count)
  }
  return count
}

/**
 * Adds the transactions of a group that follow the id `after`: their entries, fees, postings and statuses. Locks the
 * batch first, so that two processes take turns. Returns undefined when none is left to add.
 */
async function addPart(
  work: Work,
  { batchId, group, billing: preference }: BatchFilling,
  after: string,
): Promise<{ readonly last: string; readonly count: number } | undefined> {
  const batch = await work.lock(resources.transaction, batchId)
  if (batch?.status !== 'processing') return undefined
  const items = await readItems(work, group, after, { locked: true })
  const last = items.at(-1)
  if (!last) return undefined

  const billing = billingOf({ fee: batch.fee ?? 0, carried: batch.accrued_fee ?? 0 }, preference)
  const { due, feeOnly, settled } = sortItems(items)
  const charged = billing === 'netted_daily' ? feeOnly : []
  const forBill = billing === 'netted_daily' ? [] : feeOnly

  await writePayoutEntries(
    work,
    batch,
    due.map((item) => ({ id: item.id, type: item.type, amount: dueOf(item) })),
  )
  await changeCharged(work, due, batchId, { funding_status: 'batched' })
  await changeCharged(work, charged, batchId)
  await stopWaiting(work, forBill, { awaiting: 'bill' })
  await stopWaiting(work, settled)
  await changeDecided(work, batch, decidePart(batch, [...due, ...charged], billing))
  return { last: last.id, count: due.length + charged.length }
}

/** Decides what a part's transactions change in their batch, and what they book. */
function decidePart(
  batch: TransactionRow,
  items: readonly FundingItem[],
  billing: BillingPreference,
): Decision {
  const totals = totalsOf(items)
  const { fee, carried } = chargesOf(billing, totals)
  return {
    changes: {
      entered: (batch.entered ?? 0) + totals.due,
      fee: (batch.fee ?? 0) + fee,
      accrued_fee: (batch.accrued_fee ?? 0) + carried,
    },
    entries: [],
    postings: partPostings(billing, totals),
    events: [],
  }
}

/**
 * Postpones the first transactions of a group that is not paid out today: they wait until `next`. With monthly
 * billing, those that have only fees wait for the bill instead.
 */
export async function postponePart(
  work: Work,
  group: WaitingGroup,
  billing: BillingPreference,
  next: string,
): Promise<void> {
  const items = await readItems(work, group, '', { locked: true })
  const { due, feeOnly, settled } = sortItems(items)
  const isNetted = billing === 'netted_daily'
  if (!isNetted) await stopWaiting(work, feeOnly, { awaiting: 'bill' })
  await stopWaiting(work, settled)
  await changeItems(work, isNetted ? [...due, ...feeOnly] : due, { due_at: next })
}

/**
 * Marks items as no longer waiting, because a batch includes them or charges their fees. Each fee is charged once, so
 * an item that is charged already keeps its `charged_by`.
 */
async function changeCharged(
  work: Work,
  items: readonly FundingItem[],
  batchId: string,
  changes: Partial<TransactionRow> = {},
): Promise<void> {
  const uncharged = items.filter(({ isCharged }) => !isCharged)
  await stopWaiting(work, uncharged, { ...changes, charged_by: batchId })
  await stopWaiting(
    work,
    items.filter(({ isCharged }) => isCharged),
    changes,
  )
}

async function stopWaiting(
  work: Work,
  items: readonly FundingItem[],
  changes: Partial<TransactionRow> = {},
): Promise<void> {
  await changeItems(work, items, { awaiting: null, due_at: null, modified_at: work.now, ...changes })
}

async function changeItems(
  { tx }: Work,
  items: readonly FundingItem[],
  changes: Partial<TransactionRow>,
): Promise<void> {
  if (items.length === 0) return
  await tx.db
    .updateTable('transactions')
    .set(changes)
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute()
}
