import { ApiError } from '../request/api-error.js'
import type { QueryPair } from '../request/request.js'
import type { QueryTarget } from './target.js'

/** Limits of one query. Beyond them a database fails, or is occupied by a single client. */
const MAX_COUNTS = {
  filters: 100,
  alternatives: 1_000,
  comparisons: 100,
  fields: 200,
  orders: 10,
  groupings: 10,
} as const
const MAX_RELATED_FILTERS = 20
/** Maximum number of brackets in a name; a body may be nested as deeply. */
const MAX_NAME_DEPTH = 32

/** Throws `BadRequest` for a query beyond the limits, before it is parsed. */
export function refuseExcess(pairs: readonly QueryPair[]): void {
  const count = { filters: 0, fields: 0, orders: 0, groupings: 0 }
  for (const [name, value] of pairs) {
    refuseDeep(name)
    switch (name.trim().split('[', 1)[0]) {
      case 'fields':
      case 'field':
        count.fields += named(value)
        break
      case 'order_by':
        count.orders += named(value)
        break
      case 'group_by':
        count.groupings += named(value)
        break
      case 'limit':
      case 'offset':
      case 'after':
      case 'mode':
        break
      default:
        count.filters++
        refuseMore('alternatives', parts(value, '|'))
        refuseMore('comparisons', comparisons(value))
    }
  }
  refuseMore('filters', count.filters)
  refuseMore('fields', count.fields)
  refuseMore('orders', count.orders)
  refuseMore('groupings', count.groupings)
}

/**
 * Throws `BadRequest` if a query has more filters and functions on related objects than a database can plan
 * quickly. Also throws it if a name leads through the same list twice.
 */
export function refuseFar(targets: readonly QueryTarget[]): void {
  if (targets.some(leadsBack))
    throw new ApiError('BadRequest', 'A name may not lead back out of a list and through it again')
  const far = targets.filter(({ steps }) => steps.length > 0).length
  if (far > MAX_RELATED_FILTERS)
    throw new ApiError(
      'BadRequest',
      `A query may have at most ${MAX_RELATED_FILTERS} filters on related objects`,
    )
}

/**
 * Whether a name leads through a list, back by a single relation, and through the same list again.
 * `items[invoice][items]` visits every item for each item, so the cost multiplies with each repetition.
 * Lists of lists, as in a tree, end by themselves.
 */
function leadsBack({ steps }: QueryTarget): boolean {
  const lists = new Map<string, number>()
  let singles = 0
  for (const { field } of steps) {
    if (field.kind === 'one') singles++
    if (field.kind !== 'many') continue
    const list = `${field.to} ${field.by}`
    const before = lists.get(list) ?? singles
    if (before < singles) return true
    lists.set(list, before)
  }
  return false
}

/** Number of names in a list with commas. */
function named(value: string): number {
  refuseMore('fields', parts(value, ','))
  value.split(',').forEach(refuseDeep)
  return parts(value, ',')
}

/** Number of alternatives that need separate tests; plain values share one list. */
function comparisons(value: string): number {
  return value.split('|').filter((alternative) => /^[!<>?]|^(null|None|nil)?$/.test(alternative)).length
}

function parts(text: string, separator: string): number {
  let count = 1
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) count++
  return count
}

function refuseDeep(name: string): void {
  if (parts(name, '[') > MAX_NAME_DEPTH)
    throw new ApiError('BadRequest', `A name may have at most ${MAX_NAME_DEPTH} parts`)
}

function refuseMore(what: keyof typeof MAX_COUNTS, count: number): void {
  if (count <= MAX_COUNTS[what]) return
  const where = what === 'alternatives' || what === 'comparisons' ? 'A filter' : 'A query'
  throw new ApiError('BadRequest', `${where} may have at most ${MAX_COUNTS[what]} ${what}`)
}
