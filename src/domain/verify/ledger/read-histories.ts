import type { Work } from '../../../engine/core/write/work.js'
import type { LedgerRow, LineItemRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { DEFAULT_CUT_OFF } from '../../../platform/calendar/cut-off.js'
import { selectPostings } from '../../ledger/own-postings.js'
import { payoutsIn } from '../../ledger/payouts.js'
import { grouped, nextPage } from '../pass/pass.js'
import {
  type Days,
  METHOD_COLUMNS,
  RELATED_COLUMNS,
  type Related,
  type Sum,
  type TransactionHistory,
  type UsedMethod,
} from './transaction-history.js'
import type { Charged, Unindexed } from './unindexed.js'

const NOTHING: Sum = { count: 0, amount: 0 }
const FREE: Charged = { fee: 0, accrued: 0, convFee: 0 }

/** Transactions of a page; large, as each page reads several other tables. */
const LARGE_PAGE = 1_000

/** First and last transaction of a page. Rows that name a transaction between them belong to the page. */
interface Range {
  readonly first: string
  readonly last: string
}

/**
 * The next transactions after an id with their histories, in one consistent read. A page ends where `unindexed` ends.
 */
export async function readHistories(
  { tx, environment }: Work,
  after: string,
  unindexed: Unindexed,
): Promise<TransactionHistory[]> {
  const { db } = tx
  const { until } = unindexed
  const next = db
    .selectFrom('transactions')
    .selectAll()
    .$if(until !== undefined, (query) => query.where('id', '<=', until ?? ''))
  const rows = await nextPage(next, after, LARGE_PAGE)
  const first = rows[0]?.id
  const last = rows.at(-1)?.id
  if (first === undefined || last === undefined) return []
  const range = { first, last }
  const batches = rows.filter(isBatch).map(({ id }) => id)
  const entries = await ledger(db, 'transaction_id', range, batches)
  const contraEntries = await ledger(db, 'assoc_transaction_id', range, batches)
  const entered = await sums(db, 'transaction_id', batches)
  const contra = await sums(db, 'assoc_transaction_id', batches)
  const charged = await unindexed.charges(tx, batches)
  const postings = await selectPostings(tx, first, last).orderBy('id').execute()
  const events = await unindexed.events(
    tx,
    rows.map(({ id }) => id),
  )
  const items = await itemsAmong(db, range)
  const related = await relatedTo(db, rows, entries)
  const methods = await methodsOf(db, range)
  const receipts = await receiptsAmong(db, range)
  const days = await daysOf(db, rows, environment)
  const attempts = await attemptsAmong(db, range)
  const receiptsOf = grouped(receipts, (receipt) => receipt.transaction_id)
  const ownOf = grouped(entries, (entry) => entry.transaction_id)
  const contraEntriesOf = grouped(contraEntries, (entry) => entry.assoc_transaction_id)
  const postingsOf = grouped(postings, (posting) => posting.transaction_id)
  const eventsOf = grouped(events, (event) => event.object_id)
  const itemsOf = grouped(items, (item) => item.transaction_id)
  return rows.map((row) => {
    const own = ownOf.get(row.id) ?? []
    const others = contraEntriesOf.get(row.id) ?? []
    return {
      row,
      isBatch: isBatch(row),
      related,
      method: methods.get(row.payment_method_id ?? ''),
      receipts: receiptsOf.get(row.id) ?? [],
      days: days.get(row.processing_id ?? ''),
      isAttempt: attempts.has(row.id),
      entries: own,
      contraEntries: others,
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

async function relatedTo(
  db: Db,
  rows: readonly TransactionRow[],
  entries: readonly LedgerRow[],
): Promise<Map<string, Related>> {
  const known = new Map<string, Related>(rows.map((row) => [row.id, row]))
  const named = [
    ...entries.map((entry) => entry.assoc_transaction_id),
    ...rows.flatMap((row) => [row.charged_by, row.pending_operation?.split(':')[1] ?? null]),
  ]
  const others = namedAmong(named).filter((id) => !known.has(id))
  if (others.length > 0)
    for (const other of await db
      .selectFrom('transactions')
      .select(RELATED_COLUMNS)
      .where('id', 'in', others)
      .execute())
      known.set(other.id, other)
  return known
}

async function methodsOf(db: Db, { first, last }: Range): Promise<Map<string, UsedMethod>> {
  const used = db
    .selectFrom('transactions')
    .select('payment_method_id')
    .where('id', '>=', first)
    .where('id', '<=', last)
  const methods = await db
    .selectFrom('payment_methods')
    .select(METHOD_COLUMNS)
    .where('id', 'in', used)
    .execute()
  return new Map(methods.map((method) => [method.id, method]))
}

async function daysOf(
  db: Db,
  rows: readonly TransactionRow[],
  environment: Work['environment'],
): Promise<Map<string, Days>> {
  const ids = namedAmong(rows.map((row) => row.processing_id))
  if (ids.length === 0) return new Map()
  const accounts = await db
    .selectFrom('accounts as a')
    .leftJoin('orgs as o', (join) =>
      join.onRef('o.id', '=', 'a.parent_org_id').on('o.deleted_at', 'is', null),
    )
    .select([
      'a.id',
      'a.modified_at as account_changed',
      'o.modified_at as org_changed',
      'o.timezone',
      'a.processing__payouts',
    ])
    .where('a.id', 'in', ids)
    .execute()
  return new Map(
    accounts.map(
      ({ id, account_changed: account, org_changed: org, timezone, processing__payouts: payouts }) => [
        id,
        {
          cutOff: timezone === null ? DEFAULT_CUT_OFF : { ...DEFAULT_CUT_OFF, timeZone: timezone },
          changedAt: org !== null && org > account ? org : account,
          payouts: payoutsIn(environment, payouts),
        },
      ],
    ),
  )
}

async function itemsAmong(db: Db, { first, last }: Range): Promise<LineItemRow[]> {
  return await db
    .selectFrom('line_items')
    .selectAll()
    .where('transaction_id', '>=', first)
    .where('transaction_id', '<=', last)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
}

async function receiptsAmong(db: Db, { first, last }: Range) {
  return await db
    .selectFrom('receipts')
    .select(['id', 'transaction_id', 'type', 'created_at'])
    .where('transaction_id', '>=', first)
    .where('transaction_id', '<=', last)
    .orderBy('id')
    .execute()
}

async function attemptsAmong(db: Db, { first, last }: Range): Promise<Set<string>> {
  const attempts = await db
    .selectFrom('collections')
    .select('transaction_id')
    .where('transaction_id', '>=', first)
    .where('transaction_id', '<=', last)
    .execute()
  return new Set(namedAmong(attempts.map(({ transaction_id: id }) => id)))
}

function namedAmong(ids: readonly (string | null)[]): string[] {
  return [...new Set(ids.filter((id) => id !== null))]
}

type Side = 'transaction_id' | 'assoc_transaction_id'

async function ledger(
  db: Db,
  side: Side,
  { first, last }: Range,
  without: readonly string[],
): Promise<LedgerRow[]> {
  const entries = db
    .selectFrom('transaction_ledgers')
    .selectAll()
    .where(side, '>=', first)
    .where(side, '<=', last)
  const single = without.length === 0 ? entries : entries.where(side, 'not in', [...without])
  return await single.orderBy('id').execute()
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

function sumOf(entries: readonly LedgerRow[]): Sum {
  return entries.reduce<Sum>(
    ({ count, amount }, entry) => ({ count: count + 1, amount: amount + (entry.amount ?? 0) }),
    NOTHING,
  )
}
