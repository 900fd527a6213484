import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { nothing } from '../ledger/decision.js'
import { changeDecided } from '../payments/carry-out.js'
import { type Billing, chargesOf } from './decide-deposit.js'
import { enterItems } from './enter.js'
import { partPostings } from './funding-postings.js'
import { type Item, sorted, totalsOf } from './item.js'
import { type Group, readItems } from './read-items.js'

/** Where the next part of a batch comes from. */
export interface Taking {
  readonly batchId: string
  readonly group: Group
  /** The last transaction that was looked at; all are, in the order of their ids. */
  readonly after: string
  /** Whether fees are charged now, or carried to the month's bill. */
  readonly billing: Billing
}

/** What a unit of work has done; nothing when there was nothing left. */
export interface Taken {
  readonly last: string
  readonly count: number
}

/**
 * Puts the next transactions of a group into a batch, in one unit of work: entries, fees, postings and statuses. Its row
 * is locked first, so that two processes take turns.
 */
export async function addPart(work: Work, taking: Taking): Promise<Taken | undefined> {
  const { batchId, group, after, billing } = taking
  const batch = await work.lock('transaction', batchId)
  if (batch?.status !== 'processing') return undefined
  const items = await readItems(work, group, after, { locked: true })
  const last = items.at(-1)
  if (!last) return undefined
  const { entering, lone, idle } = sorted(items)
  const charged = billing === 'netted_daily' ? lone : []
  await enterItems(work, { id: batchId, type: batch.type ?? 'deposit' }, entering)
  await mark(work, entering, { batchId, changes: { funding_status: 'batched' } })
  await mark(work, charged, { batchId })
  if (billing === 'billed_monthly') await leaveToBill(work, lone)
  await leave(work, idle)
  await book(work, batch, [...entering, ...charged], billing)
  return { last: last.id, count: entering.length + charged.length }
}

async function book(work: Work, batch: TransactionRow, items: readonly Item[], billing: Billing) {
  const totals = totalsOf(items)
  const { fee, carried } = chargesOf(billing, totals)
  await changeDecided(work, batch, {
    ...nothing,
    changes: {
      entered: (batch.entered ?? 0) + totals.entered,
      fee: (batch.fee ?? 0) + fee,
      accrued_fee: (batch.accrued_fee ?? 0) + carried,
    },
    postings: partPostings(billing, totals),
  })
}

interface Mark {
  readonly batchId: string
  readonly changes?: Partial<TransactionRow>
}

/** They stand in the batch, or its fee holds theirs: nothing is left to be done. */
async function mark(work: Work, items: readonly Item[], { batchId, changes }: Mark): Promise<void> {
  await change(
    work,
    items.filter(({ isCharged }) => !isCharged),
    { ...changes, charged_by: batchId },
  )
  await change(
    work,
    items.filter(({ isCharged }) => isCharged),
    { ...changes },
  )
}

/** Only fees are to be charged, and they come with the month's bill. */
export async function leaveToBill(work: Work, items: readonly Item[]): Promise<void> {
  await change(work, items, { awaiting: 'bill' })
}

/** Nothing was to be done. */
export async function leave(work: Work, items: readonly Item[]): Promise<void> {
  await change(work, items, {})
}

async function change(work: Work, items: readonly Item[], changes: Partial<TransactionRow>): Promise<void> {
  if (items.length === 0) return
  await work.tx.db
    .updateTable('transactions')
    .set({ awaiting: null, due_at: null, modified_at: work.now, ...changes })
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute()
}
