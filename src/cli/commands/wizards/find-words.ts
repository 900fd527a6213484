import { dateOf, datetimeOf } from '../../../schema/datetime.js'
import { formatMoney, parseMoney } from '../../../schema/money.js'
import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isDateWord, readDateText } from '../../terminal/input/typed-values.js'
import { newestFirst } from './newest-first.js'

/** Filters that a word may stand for; all of one meaning must hold. */
type Meaning = readonly QueryPair[]

/** Attributes that may contain a word. */
const TEXTS = [
  'customer[name]',
  'customer[email]',
  'payment_method[account_holder]',
  'description',
  'order_number',
  'ref_number',
] as const

/** Queries for one search: each combines one meaning of every word. */
const MAX_QUERIES = 60
const DAY = 86_400_000

/**
 * Transactions that fit all words, in any order, newest first: an amount, the last four digits of a card or account, a
 * day, a name, an order number, a reference or an id. `find` returns the objects of a query, newest first. Throws a
 * `UsageError` for too many ambiguous words.
 */
export async function findTransactions(
  words: readonly string[],
  most: number,
  { find, now }: TransactionSource,
): Promise<readonly JsonObject[]> {
  const queries = queriesOf(words.map((word) => meaningsOf(word, now)))
  if (queries.length > MAX_QUERIES)
    throw new UsageError('Too many words that could mean anything; give an amount, a day or an id')
  const limit: QueryPair = ['limit', String(most)]
  const found = await Promise.all(queries.map((query) => find([...query, limit])))
  return newestFirst(found.flat()).slice(0, most)
}

export interface TransactionSource {
  find(query: readonly QueryPair[]): Promise<readonly JsonObject[]>
  /** The environment's time, in milliseconds since 1970. */
  readonly now: number
}

/** Every combination of one meaning for each word. */
function queriesOf(words: readonly (readonly Meaning[])[]): readonly Meaning[] {
  return words.reduce<readonly Meaning[]>(
    (queries, meanings) => queries.flatMap((query) => meanings.map((meaning) => [...query, ...meaning])),
    [[]],
  )
}

/** Meanings of a word: one for a date, an id or an amount with cents, several for plain digits and texts. */
function meaningsOf(word: string, now: number): readonly Meaning[] {
  const day = dayOf(word, now)
  if (day) return [day]
  if (/^txn_\w+$/.test(word)) return [[['id', word]]]
  const amount = amountOf(word)
  if (amount && /[$.]/.test(word)) return [[amount]]
  const digits: readonly Meaning[] = [
    ...(amount ? [[amount]] : []),
    ...(/^\d{2,4}$/.test(word) ? [[['payment_method[last_four]', word]] as const] : []),
  ]
  const part = word.replaceAll(/[|*?<>!=\\]/g, ' ').trim()
  const texts = digits.length > 0 ? (['order_number', 'ref_number'] as const) : TEXTS
  return [...digits, ...texts.map((name): Meaning => [[name, `?*${part}*`]])]
}

/** The filters of a day, given as a word, `2d`, or a date. */
function dayOf(word: string, now: number): Meaning | undefined {
  const text = isDateWord(word) ? readDateText(word, now) : word
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text))) return undefined
  const next = dateOf(datetimeOf(Date.parse(text) + DAY))
  return [
    ['created_at', `>=${text}`],
    ['created_at', `<${next}`],
  ]
}

function amountOf(word: string): QueryPair | undefined {
  const plain = /^\$?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/.test(word) ? word.replaceAll(/[$,]/g, '') : ''
  const minor = plain === '' ? undefined : parseMoney(plain)
  return minor === undefined ? undefined : ['amount', formatMoney(minor)]
}
