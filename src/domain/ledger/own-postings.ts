import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { scalar } from '../../engine/store/database/raw-use.js'
import type { Tx } from '../../engine/store/database/store.js'
import type { PostingRow, Tables } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { base62 } from '../../schema/id-time.js'

/**
 * Index of the first digit in an id, and the number of leading digits that own postings share with their transaction.
 */
const START = resources.transaction.prefix.length
const SHARED = 20
/** Sorts after every character of an id. */
const END = '\u{10fffd}'

/**
 * Id of a posting that is written together with its new transaction. It is derived from the transaction's id, so that
 * these postings need no other index. Later postings have ordinary ids, because their number is not known in advance.
 */
export function ownPostingId(transactionId: string, number: number): string {
  return sharedDigits(transactionId) + base62(number, 2)
}

function sharedDigits(transactionId: string): string {
  return transactionId.slice(START, START + SHARED)
}

const shared = scalar(sql`substr(id, 1, ${sql.lit(SHARED)})`)
const ofTransaction = scalar(sql`substr(transaction_id, ${sql.lit(START + 1)}, ${sql.lit(SHARED)})`)
/**
 * Selects postings with ordinary ids. The text equals the condition of their partial index, so that databases use the
 * index.
 */
const isOther = scalar(sql<SqlBool>`${shared} <> ${ofTransaction}`)

/** The postings of all transactions from one id to another. */
export function selectPostings(
  { db }: Pick<Tx, 'db'>,
  first: string,
  last = first,
): SelectQueryBuilder<Tables, 'postings', PostingRow> {
  const postings = db
    .selectFrom('postings')
    .selectAll()
    .where('transaction_id', '>=', first)
    .where('transaction_id', '<=', last)
  return postings
    .where(scalar(sql<SqlBool>`${shared} = ${ofTransaction}`))
    .where('id', '>=', sharedDigits(first))
    .where('id', '<=', sharedDigits(last) + END)
    .unionAll(postings.where(isOther))
}
