import type { Work } from '../../engine/core/write/work.js'
import type { LedgerRow } from '../../engine/store/database/tables.js'
import { balancesBefore } from './account-balances.js'
import { broughtTo, inOrder, type JournalPosting, readPostings } from './read-postings.js'
import type { ReportRow } from './report-cursor.js'
import { dayFinder, momentsOfDays, slicesOf } from './report-period.js'
import { type ReportContent, type ReportRequest, totalsOfRows } from './report-source.js'

const PAYABLE = 'merchant_payable'
const BANK = 'bank_in_transit'
/** Maximum number of deposits whose entries are read together. */
const BATCH_SIZE = 500

/** An amount that was sent to a merchant's bank account, or taken from there (below zero), in minor units. */
interface Transfer
  extends Pick<JournalPosting, 'kind' | 'object_id' | 'reference' | 'created_at' | 'processing_id'> {
  readonly amount: number
}

/**
 * The deposits and reversals of the period, each with its contents. Then, for each account, the amount due at the end
 * of the period that no deposit includes.
 */
export async function listDeposits(request: ReportRequest): Promise<ReportContent> {
  const { db, report, period, accounts } = request
  const dayOf = dayFinder(period)
  const transfers = await readTransfers(request)
  const contents = await contentsOf(
    db,
    transfers.map(({ object_id: id }) => id),
  )
  const deposits = transfers.map(({ processing_id, kind, reference, object_id, created_at, amount }) => ({
    processing_id,
    date: dayOf(created_at),
    kind,
    reference,
    object_id,
    ...(contents.get(object_id) ?? EMPTY),
    amount,
  }))
  const { zone } = period
  const waiting = await balancesBefore(db, { zone, accounts }, PAYABLE, momentsOfDays(period, zone).end)
  const onTheirWay = [...waiting]
    .filter(([, balance]) => balance !== 0)
    .sort(([a], [b]) => inOrder(a, b))
    .map(
      ([id, amount]): ReportRow => ({
        processing_id: id === '' ? null : id,
        date: null,
        kind: 'on_its_way',
        reference: null,
        object_id: null,
        transactions: null,
        payments: null,
        others: null,
        unexplained: null,
        fee: null,
        amount,
      }),
    )
  return {
    rows: [...deposits, ...onTheirWay],
    totals: {
      ...totalsOfRows(report, deposits),
      on_its_way: [...waiting.values()].reduce((sum, balance) => sum + balance, 0),
    },
  }
}

async function readTransfers({ db, period, accounts }: ReportRequest): Promise<readonly Transfer[]> {
  const transfers = new Map<string, Transfer>()
  for (const slice of slicesOf(period)) {
    const moments = momentsOfDays(slice, period.zone)
    const kinds = ['deposit', 'reversal']
    for (const posting of await readPostings(db, moments, { accounts, account: BANK, kinds })) {
      if (posting.from_account !== PAYABLE && posting.to_account !== PAYABLE) continue
      const key = `${posting.object_id} ${posting.created_at}`
      const amount = (transfers.get(key)?.amount ?? 0) + broughtTo(BANK, posting)
      transfers.set(key, { ...posting, amount })
    }
  }
  return [...transfers.values()]
}

interface Contents {
  readonly transactions: number
  readonly payments: number
  readonly others: number
  readonly unexplained: number
  readonly fee: number
}

const EMPTY: Contents = { transactions: 0, payments: 0, others: 0, unexplained: 0, fee: 0 }

/** Contents of deposits and reversals, by their ids. Amounts in minor units. */
async function contentsOf(
  db: Work['tx']['db'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, Contents>> {
  const contents = new Map<string, Contents>()
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const some = ids.slice(start, start + BATCH_SIZE)
    const sums = await db
      .selectFrom('transactions')
      .select(['id', 'fee', 'unexplained'])
      .where('id', 'in', some)
      .execute()
    for (const { id, fee, unexplained } of sums)
      contents.set(id, { ...EMPTY, fee: fee ?? 0, unexplained: unexplained ?? 0 })
    const entries = await db
      .selectFrom('transaction_ledgers')
      .select(['transaction_id as id', 'entry_type'])
      .select(({ fn }) => [fn.countAll<number>().as('number'), fn.sum<number>('amount').as('amount')])
      .where('transaction_id', 'in', some)
      .groupBy(['transaction_id', 'entry_type'])
      .execute()
    for (const { id, ...entry } of entries) {
      const known = contents.get(id ?? '') ?? EMPTY
      contents.set(id ?? '', withEntries(known, entry))
    }
  }
  return contents
}

/** Contents with the entries of one type. */
function withEntries(
  known: Contents,
  { entry_type: type, number, amount }: Pick<LedgerRow, 'entry_type'> & { number: number; amount: number },
): Contents {
  const transactions = known.transactions + number
  return type === 'payment'
    ? { ...known, transactions, payments: known.payments + amount }
    : { ...known, transactions, others: known.others + amount }
}
