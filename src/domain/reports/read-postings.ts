import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { using } from '../../engine/store/database/raw-use.js'
import type { Moments } from './report-period.js'
import type { ReportAccounts } from './report-scope.js'

type Db = Work['tx']['db']

/** A posting of any of the journal's tables. Amounts in minor units. */
export interface JournalPosting {
  readonly id: string
  /** Cause of the posting: the type of a transaction, `exception` or `settlement_line`. */
  readonly kind: string
  readonly object_id: string
  /** The transaction's ref_number. */
  readonly reference: string | null
  readonly processing_id: string | null
  readonly currency: string
  readonly from_account: string
  readonly to_account: string
  readonly amount: number
  readonly created_at: string
}

/** Filter for postings. */
export interface PostingFilter {
  readonly accounts: ReportAccounts
  /** Only postings from this book account or to it. */
  readonly account?: string
  /** Only postings that were booked for these kinds of objects. */
  readonly kinds?: readonly string[]
}

/** Tables of the journal. */
export const JOURNAL = ['postings', 'exception_postings', 'settlement_postings'] as const

/** The postings of all tables of the journal between two moments, as a table. */
export function journalBetween({ start, end }: Moments) {
  const columns = sql`processing_id, currency, from_account, to_account, amount, created_at`
  return using(
    { reads: [...JOURNAL, 'transactions'] },
    sql<JournalPosting>`(
      select p.id, t.type as kind, p.transaction_id as object_id, t.ref_number as reference, p.processing_id,
        p.currency, p.from_account, p.to_account, p.amount, p.created_at
      from postings p join transactions t on t.id = p.transaction_id
      where p.created_at >= ${start} and p.created_at < ${end}
      union all select id, 'exception', exception_id, null, ${columns}
      from exception_postings where created_at >= ${start} and created_at < ${end}
      union all select id, 'settlement_line', settlement_line_id, null, ${columns}
      from settlement_postings where created_at >= ${start} and created_at < ${end})`,
  ).as('j')
}

/** Reads the postings between two moments, ordered by time, then by the object for which they were booked. */
export async function readPostings(
  db: Db,
  moments: Moments,
  { accounts, account = '', kinds = [] }: PostingFilter,
): Promise<readonly JournalPosting[]> {
  if (accounts?.length === 0) return []
  const found = await db
    .selectFrom(journalBetween(moments))
    .selectAll()
    .$if(accounts !== undefined, (query) => query.where('processing_id', 'in', [...(accounts ?? [])]))
    .$if(kinds.length > 0, (query) => query.where('kind', 'in', [...kinds]))
    .$if(account !== '', (query) =>
      query.where((eb) => eb.or([eb('from_account', '=', account), eb('to_account', '=', account)])),
    )
    .execute()
  return found.sort(byTime)
}

function byTime(a: JournalPosting, b: JournalPosting): number {
  return inOrder(a.created_at, b.created_at) || inOrder(a.object_id, b.object_id) || inOrder(a.id, b.id)
}

/** Order of two texts by their characters' codes, as in the databases. */
export function inOrder(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Change of a book account by a posting, in minor units: negative if the posting leaves it. */
export function broughtTo(
  account: string,
  { from_account: from, to_account: to, amount }: JournalPosting,
): number {
  if (to === account) return amount
  return from === account ? -amount : 0
}
