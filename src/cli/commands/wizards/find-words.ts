import type { JsonObject, QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { isDateWord, readDateText } from '../../terminal/input/typed-values.js'
import { newestFirst } from './newest-first.js'

/**
 * Transactions that match all words, in any order, newest first. A word may be an amount, the last four
 * digits of a card or account, a day or a name. Order numbers, references and ids are found, too. `find`
 * returns the objects of a query, newest first. Throws a `UsageError` for too many ambiguous words.
 */
export async function findTransactions(
  words: readonly string[],
  most: number,
  { find, now }: TransactionSource,
): Promise<readonly JsonObject[]> {
  const { wordQueries } = await import('../../../domain/payments/search-words.js')
  const queries = wordQueries(words, (word) => (isDateWord(word) ? readDateText(word, now) : word))
  if (queries === undefined)
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
