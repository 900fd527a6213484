import type { QueryPair } from '../../terminal/client/client.js'
import { UsageError } from '../../terminal/failure/failure.js'
import { attributeNames, wherePair } from '../../terminal/input/query-text.js'
import type { AnswerSchema } from '../../terminal/input/shape.js'
import type { GivenList } from './list-flags.js'

/** Attributes that a list shows, as requested. */
export interface RequestedList {
  /** Names in `fields`; undefined for the default attributes. */
  readonly names: readonly string[] | undefined
  /** The aggregate to print, if only an aggregate was requested, as in `list --count`. */
  readonly figure: string | undefined
}

const NAMING = ['fields', 'columns', 'sum', 'group-by', 'order-by'] as const

/**
 * Determines the attributes from flags. Throws a `UsageError` for an empty list of names, as from a
 * script's empty variable.
 */
export function requestedOfList(given: GivenList): RequestedList {
  const empty = NAMING.find((flag) => given[flag] !== undefined && namesIn(given[flag]).length === 0)
  if (empty) throw new UsageError(`--${empty} is empty: it takes the names of attributes`)
  const { count, sum, fields, columns, 'group-by': groupBy } = given
  const figures = [...(count ? ['count(*)'] : []), ...namesIn(sum).map((name) => `sum(${name})`)]
  const named = fields === undefined ? listsOf(namesIn(columns)) : namesIn(fields)
  const names = [...(named.length > 0 ? named : namesIn(groupBy)), ...figures]
  if (names.length === 0) return { names: undefined, figure: undefined }
  const isAlone = names.length === 1 && figures.length === 1
  return { names, figure: isAlone ? names[0] : undefined }
}

/** Query for flags, filters and the names that are shown. */
export function queryOfList(
  given: GivenList,
  filters: readonly string[],
  { names }: RequestedList,
  { shape, now }: { readonly shape: AnswerSchema; readonly now: number },
): readonly QueryPair[] {
  const { offset, after, 'order-by': order, 'group-by': groupBy } = given
  const pairs: readonly (readonly [name: string, value: string | undefined])[] = [
    ['fields', names && attributeNames(names.join(','))],
    ['group_by', groupBy && attributeNames(groupBy)],
    ['offset', offset === undefined ? undefined : String(offset)],
    ['after', after],
    ['order_by', order && attributeNames(order)],
  ]
  return [
    ...filters.map((text) => wherePair(text, shape, now)),
    ...pairs.flatMap(([name, value]): QueryPair[] => (value === undefined ? [] : [[name, value]])),
  ]
}

/**
 * Names of the attributes to request. For a column inside a list, such as `items[0].amount`, the name of the list is
 * requested.
 */
function listsOf(columns: readonly string[]): readonly string[] {
  return [...new Set(columns.map((name) => name.replace(/(?:\[\d+\]|\.\d+(?=\.|$)).*$/, '')))]
}

function namesIn(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
