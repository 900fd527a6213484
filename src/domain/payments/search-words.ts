import type { QueryPair } from '../../engine/core/request/request.js'
import { dateOf, datetimeOf } from '../../schema/datetime.js'
import { formatMoney, parseMoney } from '../../schema/money.js'

/** One meaning of a word: filters that must all match. */
export type WordMeaning = readonly QueryPair[]

/** Attributes of transactions that may contain a word. */
const TEXTS = [
  'customer[name]',
  'customer[email]',
  'payment_method[account_holder]',
  'description',
  'order_number',
  'ref_number',
] as const

/** Maximum number of queries for one search; each combines one meaning of every word. */
const MAX_QUERIES = 60
const DAY = 86_400_000

/**
 * Queries of transactions that fit all words, in any order. A word is an amount, a day, a name, an order number, a
 * reference or an id. It may also be the last four digits of a card or account. `dayOf` returns the date that a word
 * means, `YYYY-MM-DD`. Returns undefined if ambiguous words would need too many queries.
 */
export function wordQueries(
  words: readonly string[],
  dayOf: (word: string) => string | undefined,
): readonly WordMeaning[] | undefined {
  const queries = combinationsOf(words.map((word) => meaningsOf(word, dayOf(word))))
  return queries.length > MAX_QUERIES ? undefined : queries
}

/** A word as the value of a filter that looks for it in a text. */
export function containing(word: string): string {
  return `?*${word.replaceAll(/[|*?<>!=\\]/g, ' ').trim()}*`
}

/** Every combination of one meaning for each word. */
function combinationsOf(words: readonly (readonly WordMeaning[])[]): readonly WordMeaning[] {
  return words.reduce<readonly WordMeaning[]>(
    (queries, meanings) => queries.flatMap((query) => meanings.map((meaning) => [...query, ...meaning])),
    [[]],
  )
}

/** Meanings of a word: one for a date, an id or an amount with cents, several for plain digits and texts. */
function meaningsOf(word: string, date: string | undefined): readonly WordMeaning[] {
  if (date !== undefined && isDate(date)) return [dayFilters(date)]
  if (/^txn_\w+$/.test(word)) return [[['id', word]]]
  const amount = amountOf(word)
  if (amount && /[$.]/.test(word)) return [[amount]]
  const digits: readonly WordMeaning[] = [
    ...(amount ? [[amount]] : []),
    ...(/^\d{2,4}$/.test(word) ? [[['payment_method[last_four]', word]] as const] : []),
  ]
  const texts = digits.length > 0 ? (['order_number', 'ref_number'] as const) : TEXTS
  return [...digits, ...texts.map((name): WordMeaning => [[name, containing(word)]])]
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))
}

function dayFilters(date: string): WordMeaning {
  const next = dateOf(datetimeOf(Date.parse(date) + DAY))
  return [
    ['created_at', `>=${date}`],
    ['created_at', `<${next}`],
  ]
}

function amountOf(word: string): QueryPair | undefined {
  const plain = /^\$?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/.test(word) ? word.replaceAll(/[$,]/g, '') : ''
  const minor = plain === '' ? undefined : parseMoney(plain)
  return minor === undefined ? undefined : ['amount', formatMoney(minor)]
}
