import type { ResourceModel } from '../../../model/resource-model.js'
import { parseName } from '../../../schema/attribute-name.js'
import type { ValueField } from '../../../schema/field.js'
import { Problem } from '../../../schema/problem.js'
import { type DatePart, fieldOf, isManifold, isOrdered, type QueryTarget, resolveTarget } from './target.js'

/** Value of a single row: an attribute, or a part of an attribute, as in `year(created_at)`. */
export interface Term {
  readonly kind: 'term'
  /** Name as written in the query; also the key of the value in the answer. */
  readonly name: string
  readonly target: QueryTarget
}

/** Value computed from many rows. */
export interface Aggregate {
  readonly kind: 'aggregate'
  readonly name: string
  readonly operation: Summary
  /** Target from which the value is computed; undefined for `count(*)`, which counts rows. */
  readonly of?: QueryTarget
  /** Kind of the result. */
  readonly field: ValueField
}

export type Computed = Term | Aggregate

/** Kind of the computed values. */
export function computedField(computed: Computed): ValueField {
  return computed.kind === 'term' ? fieldOf(computed.target.end) : computed.field
}

const SUMMARIES = ['count', 'sum', 'avg', 'min', 'max'] as const
type Summary = (typeof SUMMARIES)[number]
const PARTS = ['year', 'month', 'day', 'hour'] as const satisfies readonly DatePart[]

/** Whether a name is a function call, as in `sum(amount)`. Text in brackets is ignored. */
export function isFunctionCall(name: string): boolean {
  return /^[^[]*\(/.test(name)
}

/**
 * Parses a function call such as `count(*)`, `sum(order_details[incl_costs][tax])` or `year(created_at)`.
 * Returns a `Problem` if the call is invalid.
 */
export function parseCall(resource: ResourceModel, name: string): Computed | Problem {
  const [, word = '', argument = ''] = /^([a-z]+)\((.+)\)$/.exec(name) ?? []
  if (word === 'count' && argument === '*')
    return { kind: 'aggregate', name, operation: word, field: { kind: 'integer' } }
  const known = [...SUMMARIES, ...PARTS].find((one) => one === word)
  if (!known) return new Problem('Unknown function')
  const path = parseName(argument)
  const target = path && resolveTarget(resource, path)
  if (!target) return new Problem('Unknown attribute')
  if (isManifold(target)) return new Problem(`${known} cannot reach into a list`)
  return isPart(known) ? partOf(name, known, target) : summaryOf(name, known, target)
}

function isPart(word: Summary | DatePart): word is DatePart {
  return PARTS.some((part) => part === word)
}

function summaryOf(name: string, operation: Summary, of: QueryTarget): Aggregate | Problem {
  if (operation === 'count' && fieldOf(of.end).kind === 'secret')
    return new Problem('count takes no masked number')
  if (operation === 'count') return { kind: 'aggregate', name, operation, of, field: { kind: 'integer' } }
  const field = of.end.kind === 'inside' ? undefined : summaryField(operation, fieldOf(of.end))
  if (field) return { kind: 'aggregate', name, operation, of, field }
  const isSum = operation === 'sum' || operation === 'avg'
  return new Problem(`${operation} takes ${isSum ? 'a number' : 'values that have an order'}`)
}

/**
 * Kind of a function's result; undefined if the function does not apply to the attribute. An average has
 * decimals.
 */
function summaryField(operation: Summary, field: ValueField): ValueField | undefined {
  // Expiries are compared by year, then by month, but their text begins with the month.
  if (operation === 'min' || operation === 'max')
    return isOrdered(field) && field.kind !== 'expiry' ? field : undefined
  switch (field.kind) {
    case 'money':
      return { kind: 'money', sign: 'any' }
    case 'number':
      return { kind: 'number' }
    case 'integer':
      return { kind: operation === 'avg' ? 'number' : 'integer' }
    default:
      return undefined
  }
}

function partOf(name: string, part: DatePart, { steps, end }: QueryTarget): Term | Problem {
  const kind = fieldOf(end).kind
  if (end.kind === 'value' && (kind === 'datetime' || (kind === 'date' && part !== 'hour')))
    return { kind: 'term', name, target: { steps, end: { kind: 'part', part, path: end.path } } }
  return new Problem(`${part} takes a ${part === 'hour' ? 'datetime' : 'date'}`)
}
