import type { Stored } from '../../../schema/columns.js'
import { dateOf } from '../../../schema/datetime.js'
import type { ValueField } from '../../../schema/field.js'
import { parseMoney } from '../../../schema/money.js'
import { Problem } from '../../../schema/problem.js'
import { isStorable, readValue, type ScalarField } from '../../../schema/read.js'
import { isBareDay } from '../../../schema/read-date.js'
import { type Alternative, type Operator, parseAlternatives } from './alternatives.js'
import { isOrdered, type QueryTarget } from './target.js'

/** One comparison. A condition holds if any of its tests does. */
export interface Test {
  readonly operator: Operator
  readonly value: Stored
  /** Last value of a range, for `=` and `!`: a date without a time means all moments of that day. */
  readonly until?: Stored
}

export interface Condition {
  readonly target: QueryTarget
  readonly tests: readonly Test[]
}

/** Parses a filter's value into tests; a `Problem` if it is invalid. */
export function parseTests(field: ValueField, value: string): Test[] | Problem {
  const tests: Test[] = []
  const alternatives = parseAlternatives(value)
  if (field.kind === 'secret' && alternatives.length > 1) return new Problem('Takes one whole value')
  for (const alternative of alternatives) {
    const read = readTest(field, alternative)
    if (read instanceof Problem) return read
    tests.push(read)
  }
  return tests
}

function readTest(field: ValueField, { operator, literal, isWord }: Alternative): Test | Problem {
  const isEquality = operator === '=' || operator === '!'
  if (isEquality && !isWord && isUnset(field, literal)) return { operator, value: null }
  const value = readLiteral(field, operator, literal)
  if (value instanceof Problem) return value
  if (field.kind === 'datetime' && typeof value === 'string' && isBareDay(literal))
    return ofWholeDay(operator, value)
  return { operator, value }
}

/**
 * Whether a literal means "no value": an empty text or `null`; also `None` and `nil` for attributes without
 * free text.
 */
function isUnset(field: ValueField, literal: string): boolean {
  if (literal === '' || literal === 'null') return true
  return (literal === 'None' || literal === 'nil') && !isFreeText(field)
}

function isFreeText({ kind }: ValueField): boolean {
  return kind === 'text' || kind === 'email' || kind === 'json' || kind === 'rows'
}

/**
 * Test of datetimes against a date without a time, which means the whole day in UTC. `first` is its first
 * moment.
 */
function ofWholeDay(operator: Operator, first: string): Test {
  const last = `${dateOf(first)} 23:59:59`
  if (operator === '=' || operator === '!') return { operator, value: first, until: last }
  return { operator, value: operator === '>' || operator === '<=' ? last : first }
}

function readLiteral(field: ValueField, operator: Operator, literal: string): Stored | Problem {
  if (!isStorable(literal)) return new Problem('Must be valid string')
  if (!allows(field, operator))
    return new Problem(`Cannot be filtered with ${operator === '?' ? '?…*' : operator}`)
  if (operator === '?*' || operator === '?') return literal
  if (literal === '') return new Problem('Must have a value')
  switch (field.kind) {
    case 'json':
    case 'rows':
      return literal
    case 'money':
      return parseMoney(literal) ?? new Problem('Must be valid number')
    default:
      return readValue(lenient(field), literal)
  }
}

/**
 * Field without limits on its values. A filter may name values that cannot be stored; then it matches no
 * rows.
 */
function lenient(field: ScalarField): ScalarField {
  switch (field.kind) {
    case 'number':
    case 'integer':
    case 'digits':
      return { ...field, min: undefined, max: undefined }
    case 'secret':
      return { kind: 'digits' }
    default:
      return field
  }
}

function allows(field: ValueField, operator: Operator): boolean {
  switch (operator) {
    case '=':
    case '!':
      return true
    case '?*':
    case '?':
      return (
        field.kind !== 'secret' && field.kind !== 'money' && field.kind !== 'number' && field.kind !== 'flag'
      )
    default:
      return isOrdered(field)
  }
}
