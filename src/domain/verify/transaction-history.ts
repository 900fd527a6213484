import type { Work } from '../../engine/core/write/work.js'
import type {
  EventRow,
  LedgerRow,
  LineItemRow,
  PostingRow,
  TransactionRow,
} from '../../engine/store/database/tables.js'
import { PAGE } from './finding.js'

/** What ledger entries come to. Amounts in minor units. */
export interface Sum {
  readonly count: number
  readonly amount: number
}

/** Fees that went into a deposit or a bill. Minor units. */
export interface Charged {
  readonly fee: number
  readonly accrued: number
  readonly convFee: number
}

/** A transaction and all that the database says of it. */
export interface TransactionHistory {
  readonly row: TransactionRow
  /** Its ledger entries, and those of others that name it; of a deposit, which has many, only their sums are known. */
  readonly entries: readonly LedgerRow[]
  readonly mirrors: readonly LedgerRow[]
  readonly entered: Sum
  readonly contra: Sum
  readonly charged: Charged
  readonly postings: readonly PostingRow[]
  readonly events: readonly EventRow[]
  /** Line items of invoices that it pays. */
  readonly items: readonly LineItemRow[]
  /** Whether a settlement made it: a day's deposit or reversal, a month's bill. */
  readonly isBatch: boolean
}

const NOTHING: Sum = { count: 0, amount: 0 }
const FREE: Charged = { fee: 0, accrued: 0, convFee: 0 }

/** The next transactions behind an id, each with its story, as one read finds them. */
export async function readStories({ tx }: Work, after: string): Promise<TransactionHistory[]> {
  const { db } = tx
  const rows = await db
    .selectFrom('transactions')
    .selectAll()
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const batches = rows.filter(isBatch).map(({ id }) => id)
  const single = rows.filter((row) => !isBatch(row)).map(({ id }) => id)
  const entries = await ledger(db, 'transaction_id', single)
  const mirrors = await ledger(db, 'assoc_transaction_id', single)
  const entered = await sums(db, 'transaction_id', batches)
  const contra = await sums(db, 'assoc_transaction_id', batches)
  const charged = await charges(db, batches)
  const postings = await db
    .selectFrom('postings')
    .selectAll()
    .where('transaction_id', 'in', ids)
    .orderBy('id')
    .execute()
  const events = await db
    .selectFrom('events')
    .selectAll()
    .where('object_id', 'in', ids)
    .orderBy('id')
    .execute()
  const items = await db
    .selectFrom('line_items')
    .selectAll()
    .where('transaction_id', 'in', ids)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  const [ownOf, mirrorsOf] = [
    grouped(entries, (entry) => entry.transaction_id),
    grouped(mirrors, (entry) => entry.assoc_transaction_id),
  ]
  const postingsOf = grouped(postings, (posting) => posting.transaction_id)
  const eventsOf = grouped(events, (event) => event.object_id)
  const itemsOf = grouped(items, (item) => item.transaction_id)
  return rows.map((row) => {
    const own = ownOf.get(row.id) ?? []
    const others = mirrorsOf.get(row.id) ?? []
    return {
      row,
      isBatch: isBatch(row),
      entries: own,
      mirrors: others,
      entered: entered.get(row.id) ?? sumOf(own),
      contra: contra.get(row.id) ?? sumOf(others),
      charged: charged.get(row.id) ?? FREE,
      postings: postingsOf.get(row.id) ?? [],
      events: eventsOf.get(row.id) ?? [],
      items: itemsOf.get(row.id) ?? [],
    }
  })
}

function isBatch({ period }: TransactionRow): boolean {
  return period !== null
}

type Db = Work['tx']['db']
type Side = 'transaction_id' | 'assoc_transaction_id'

async function ledger(db: Db, side: Side, ids: readonly string[]): Promise<LedgerRow[]> {
  if (ids.length === 0) return []
  return await db
    .selectFrom('transaction_ledgers')
    .selectAll()
    .where(side, 'in', [...ids])
    .orderBy('id')
    .execute()
}

async function sums(db: Db, side: Side, ids: readonly string[]): Promise<Map<string, Sum>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('transaction_ledgers')
    .select((eb) => [
      `${side} as id` as const,
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('amount').as('amount'),
    ])
    .where(side, 'in', [...ids])
    .groupBy(side)
    .execute()
  return new Map(
    rows.map(({ id, count, amount }) => [id ?? '', { count: Number(count), amount: Number(amount) }]),
  )
}

async function charges(db: Db, ids: readonly string[]): Promise<Map<string, Charged>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('transactions')
    .select((eb) => [
      'charged_by',
      eb.fn.sum<number>('fee').as('fee'),
      eb.fn.sum<number>('accrued_fee').as('accrued'),
      // A chargeback's own was booked with it.
      eb.fn
        .sum<number>(eb.case().when('type', '=', 'payment').then(eb.ref('conv_fee')).else(0).end())
        .as('conv'),
    ])
    .where('charged_by', 'in', [...ids])
    .groupBy('charged_by')
    .execute()
  return new Map(
    rows.map(({ charged_by: id, fee, accrued, conv }) => [
      id ?? '',
      { fee: Number(fee), accrued: Number(accrued), convFee: Number(conv) },
    ]),
  )
}

function sumOf(entries: readonly LedgerRow[]): Sum {
  return entries.reduce<Sum>(
    ({ count, amount }, entry) => ({ count: count + 1, amount: amount + (entry.amount ?? 0) }),
    NOTHING,
  )
}

/** Rows by a key, each group in the order the rows came. */
export function grouped<R>(rows: readonly R[], keyOf: (row: R) => string | null): Map<string, R[]> {
  const groups = new Map<string, R[]>()
  for (const row of rows) {
    const key = keyOf(row) ?? ''
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return groups
}
