import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { lockRows } from '../../engine/store/database/differences.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Item } from './item.js'

/** What the settlement has still to do with a transaction. */
export type Awaiting = NonNullable<TransactionRow['awaiting']>

/** Transactions of a processing account that wait for the same thing at the same time. */
export interface Group {
  readonly awaiting: Awaiting
  readonly processingId: string
  /** The end of a business day; nothing for what waits for the next bill, whenever that is. */
  readonly dueAt: string | null
}

/** How many transactions a unit of work reads or changes at most: so short that a reader hardly notices it. */
const LOT = 16

/** What is just being voided is not touched until the outcome is known. */
const notBeingVoided = sql<boolean>`(open_operation is null or open_operation not like 'void:%')`

/** Whether a group has transactions behind an id: a unit of work that finds none would be one for nothing. */
export async function hasItems({ tx }: Work, group: Group, after = ''): Promise<boolean> {
  return (await itemsAfter(tx, group, after).select('id').limit(1).execute()).length > 0
}

/** The first of a group's transactions, which on PostgreSQL nobody else changes: locked in one order, none wait in a ring. */
export async function lockFirst({ tx }: Work, group: Group): Promise<string[]> {
  const first = itemsAfter(tx, group, '').select('id').limit(LOT)
  return (await lockRows(tx.dialect, first).execute()).map(({ id }) => id)
}

/** The next of a group's transactions behind an id, and on PostgreSQL nobody else changes them if they are locked. */
export async function readItems(
  { tx }: Work,
  group: Group,
  after: string,
  { locked }: { readonly locked: boolean },
): Promise<Item[]> {
  const query = itemsAfter(tx, group, after)
    .select(['id', 'type', 'amount', 'fee', 'accrued_fee', 'conv_fee', 'charged_by'])
    .limit(LOT)
  const rows = await (locked ? lockRows(tx.dialect, query) : query).execute()
  if (rows.length === 0) return []
  // Asked after the rows are locked: what a refund has entered until then is seen.
  const sums = await tx.db
    .selectFrom('transaction_ledgers')
    .select(['transaction_id', (eb) => eb.fn.sum<number>('amount').as('entered')])
    .where(
      'transaction_id',
      'in',
      rows.map(({ id }) => id),
    )
    .groupBy('transaction_id')
    .execute()
  const entered = new Map(sums.map((sum) => [sum.transaction_id, sum.entered]))
  return rows.map((row) => itemOf(row, entered.get(row.id) ?? 0))
}

function itemsAfter({ db }: Tx, { awaiting, dueAt, processingId }: Group, after: string) {
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

function itemOf(row: Row, entered: number): Item {
  if (row.type === null || row.amount === null)
    throw new Error(`Transaction ${row.id} is damaged: its type or amount is missing`)
  return {
    id: row.id,
    type: row.type,
    amount: row.amount,
    entered,
    fee: row.fee ?? 0,
    accruedFee: row.accrued_fee ?? 0,
    // A chargeback's own says what the payment lost, which was booked with it.
    convFee: row.type === 'payment' ? (row.conv_fee ?? 0) : 0,
    isCharged: row.charged_by !== null,
  }
}
