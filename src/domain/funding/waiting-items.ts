import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { lockRows } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import {
  addTotals,
  type FundingItem,
  type FundingTotals,
  noTotals,
  sortItems,
  totalsOf,
} from './funding-item.js'

/** Next step of settlement for a transaction. */
export type Awaiting = NonNullable<TransactionRow['awaiting']>

/** Transactions of a processing account that wait for the same step of settlement and are due at the same time. */
export interface WaitingGroup {
  readonly awaiting: Awaiting
  readonly processingId: string
  /** End of a business day, as a datetime; null for items that wait for the next bill, whose day is not known yet. */
  readonly dueAt: string | null
}

/** The items that wait for an account's next bill. */
export function waitingForBill(processingId: string): WaitingGroup {
  return { awaiting: 'bill', processingId, dueAt: null }
}

/** Maximum number of transactions that a unit of work reads or changes; few, so that readers are hardly delayed. */
const MAX_ITEMS = 16

/** Leaves out transactions that are being voided, until the outcome of the void is known. */
const notBeingVoided = sql<boolean>`(pending_operation is null or pending_operation not like 'void:%')`

/** Whether a group has transactions after an id. Checked first, to save a unit of work that would find none. */
export async function hasItems({ tx }: Work, group: WaitingGroup, after = ''): Promise<boolean> {
  return (await itemsAfter(tx, group, after).select('id').limit(1).execute()).length > 0
}

/** Locks the first transactions of a group, always in the order of their ids, so that no two processes deadlock. */
export async function lockItems({ tx }: Work, group: WaitingGroup): Promise<string[]> {
  const first = itemsAfter(tx, group, '').select('id').limit(MAX_ITEMS)
  return (await lockRows(tx.dialect, first).execute()).map(({ id }) => id)
}

/** Reads a group's next transactions after an id, and locks those that the caller will change. */
export async function readItems(
  { tx }: Work,
  group: WaitingGroup,
  after: string,
  { locked }: { readonly locked: boolean },
): Promise<FundingItem[]> {
  const query = itemsAfter(tx, group, after)
    .select(['id', 'type', 'amount', 'fee', 'accrued_fee', 'conv_fee', 'charged_by'])
    .limit(MAX_ITEMS)
  const rows = await (locked ? lockRows(tx.dialect, query) : query).execute()
  if (rows.length === 0) return []
  // Read after the rows are locked, so that the entries of an earlier refund are visible.
  const sums = await tx.db
    .selectFrom('transaction_ledgers')
    .select(['transaction_id', (eb) => eb.fn.sum<number>('amount').as('sum')])
    .where(
      'transaction_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('transaction_id')
    .execute()
  const sumOf = new Map(sums.map(({ transaction_id: id, sum }) => [id, sum]))
  return rows.map((row) => itemOf(row, sumOf.get(row.id) ?? 0))
}

function itemsAfter({ db }: Tx, { awaiting, dueAt, processingId }: WaitingGroup, after: string) {
  return db
    .selectFrom('transactions')
    .where('awaiting', '=', awaiting)
    .where('due_at', dueAt === null ? 'is' : '=', dueAt)
    .where('processing_id', '=', processingId)
    .where('id', '>', after)
    .where(notBeingVoided)
    .orderBy('id')
}

type Row = Pick<TransactionRow, 'id' | 'type' | 'amount' | 'fee' | 'accrued_fee' | 'conv_fee' | 'charged_by'>

function itemOf(row: Row, ledgerSum: number): FundingItem {
  if (row.type === null || row.amount === null)
    throw new Error(`Transaction ${row.id} is damaged: its type or amount is missing`)
  return {
    id: row.id,
    type: row.type,
    amount: row.amount,
    ledgerSum,
    fee: row.fee ?? 0,
    accruedFee: row.accrued_fee ?? 0,
    // The convenience fee of a chargeback was booked with the chargeback.
    convFee: row.type === 'payment' ? (row.conv_fee ?? 0) : 0,
    isCharged: row.charged_by !== null,
  }
}

/** The totals of a group, separately for items with an amount due and for items with fees only. */
export interface GroupTotals {
  readonly due: FundingTotals
  readonly feeOnly: FundingTotals
}

export const emptyGroup: GroupTotals = { due: noTotals, feeOnly: noTotals }

export function addGroups(a: GroupTotals, b: GroupTotals): GroupTotals {
  return { due: addTotals(a.due, b.due), feeOnly: addTotals(a.feeOnly, b.feeOnly) }
}

/** Adds up a group in short reads. Memory use does not grow with the size of the group. */
export async function readTotals(
  { read }: Pick<WorkRunner, 'read'>,
  group: WaitingGroup,
): Promise<GroupTotals> {
  let totals = emptyGroup
  let after = ''
  for (;;) {
    const items = await read((work) => readItems(work, group, after, { locked: false }))
    const last = items.at(-1)
    if (!last) return totals
    const { due, feeOnly } = sortItems(items)
    totals = addGroups(totals, { due: totalsOf(due), feeOnly: totalsOf(feeOnly) })
    after = last.id
  }
}
