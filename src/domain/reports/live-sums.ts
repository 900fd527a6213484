import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { scalar, using } from '../../engine/store/database/raw-use.js'
import { JOURNAL, journalBetween } from './read-postings.js'
import type { Moments } from './report-period.js'
import type { ReportAccounts } from './report-scope.js'

type Db = Work['tx']['db']

/** A sum of postings of one kind between two book accounts, or of declined payments. */
export interface JournalSum {
  /** Type of the transactions, `exception` or `settlement_line`; `declined` for declined payments. */
  readonly kind: string
  readonly processing_id: string | null
  /** Book account; the status code for declined payments. */
  readonly from_account: string
  readonly to_account: string
  /** Number of postings or declined payments. */
  readonly number: number
  /** Minor units. */
  readonly amount: number
}

/** Kind of the sums of declined payments. */
export const DECLINED = 'declined'

/** Adds up the postings and declined payments between two moments. */
export async function readSums(
  db: Db,
  moments: Moments,
  accounts: ReportAccounts,
): Promise<readonly JournalSum[]> {
  if (accounts?.length === 0) return []
  const booked = await db
    .selectFrom(journalBetween(moments))
    .select(['kind', 'processing_id', 'from_account', 'to_account'])
    .select(({ fn }) => [fn.countAll<number>().as('number'), fn.sum<number>('amount').as('amount')])
    .$if(accounts !== undefined, (query) => query.where('processing_id', 'in', [...(accounts ?? [])]))
    .groupBy(['kind', 'processing_id', 'from_account', 'to_account'])
    .execute()
  const declined = await db
    .selectFrom('transactions')
    .select(['processing_id', 'status_code'])
    .select(({ fn }) => [fn.countAll<number>().as('number'), fn.sum<number>('amount').as('amount')])
    .where('status', '=', 'declined')
    .where('type', '=', 'payment')
    .where('created_at', '>=', moments.start)
    .where('created_at', '<', moments.end)
    .$if(accounts !== undefined, (query) => query.where('processing_id', 'in', [...(accounts ?? [])]))
    .groupBy(['processing_id', 'status_code'])
    .execute()
  return [
    ...booked,
    ...declined.map(({ status_code: code, ...sum }) => ({
      ...sum,
      kind: DECLINED,
      from_account: code ?? '',
      to_account: '',
    })),
  ]
}

/** Number of the postings and declined payments between two moments. */
export async function countBetween(db: Db, { start, end }: Moments): Promise<number> {
  const inside = sql`created_at >= ${start} and created_at < ${end}`
  const counts = scalar(
    sql<number>`(select count(*) from postings where ${inside})
      + (select count(*) from exception_postings where ${inside})
      + (select count(*) from settlement_postings where ${inside})
      + (select count(*) from transactions where status = 'declined' and type = 'payment' and ${inside})`,
  )
  const { rows } = await using(
    { reads: [...JOURNAL, 'transactions'] },
    sql<{ number: number }>`select ${counts} as number`,
  ).execute(db)
  return Number(rows[0]?.number ?? 0)
}

/** The moment of the first posting; undefined if there is none. */
export async function firstPosting(db: Db): Promise<string | undefined> {
  const first = sql<{ first: string | null }>`select min(f) as first from (
    select min(created_at) as f from postings union all select min(created_at) from exception_postings
    union all select min(created_at) from settlement_postings) as firsts`
  const { rows } = await using({ reads: JOURNAL }, first).execute(db)
  return rows[0]?.first ?? undefined
}
