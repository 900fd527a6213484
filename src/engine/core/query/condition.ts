import type { Stored } from '../../../schema/columns.js'
import type { ValueField } from '../../../schema/field.js'
import { parseMoney } from '../../../schema/money.js'
import { isStorable, Problem, readValue, type ScalarField } from '../../../schema/read.js'
import { isOrdered, type QueryTarget } from './target.js'

export type Operator = '=' | '!' | '<' | '<=' | '>' | '>=' | '?*'

/** One comparison; a condition holds when any of its tests does. */
export interface Test {
  readonly operator: Operator
  readonly value: Stored
}

export interface Condition {
  readonly target: QueryTarget
  readonly tests: readonly Test[]
}

/** Splits a filter's value into its alternatives and their operators. Spec: "Query parameters", filter operators. */
function parseAlternatives(value: string): { operator: Operator; literal: string }[] {
  return value.split('|').map((alternative) => {
    const match = /^(!|<=|>=|<|>|\?\*|)([\s\S]*)$/.exec(alternative)
    const operator = operatorOf(match?.[1])
    const literal = match?.[2] ?? ''
    return { operator, literal: operator === '?*' && literal.endsWith('*') ? literal.slice(0, -1) : literal }
  })
}

function operatorOf(written: string | undefined): Operator {
  switch (written) {
    case '!':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '?*':
      return written
    default:
      return '='
  }
}

/** Parses a filter's value into tests; otherwise says what is wrong. */
export function parseTests(field: ValueField, value: string): Test[] | Problem {
  const tests: Test[] = []
  for (const { operator, literal } of parseAlternatives(value)) {
    const read = readLiteral(field, operator, literal)
    if (read instanceof Problem) return read
    tests.push({ operator, value: read })
  }
  return tests
}

function readLiteral(field: ValueField, operator: Operator, literal: string): Stored | Problem {
  if (!isStorable(literal)) return new Problem('Must be valid string')
  if (!allows(field, operator)) return new Problem(`Cannot be filtered with ${operator}`)
  if (operator === '?*') return literal
  if (literal === '') return operator === '=' || operator === '!' ? null : new Problem('Must have a value')
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

/** A filter may name values that cannot be stored: it then matches nothing. */
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
      return (
        field.kind !== 'secret' && field.kind !== 'money' && field.kind !== 'number' && field.kind !== 'flag'
      )
    default:
      return isOrdered(field)
  }
}
