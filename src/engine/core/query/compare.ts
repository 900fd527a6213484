import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Stored } from '../../../schema/columns.js'
import { foldedText } from '../../../schema/folded-text.js'
import { beginsWith, contains, jsonOnly, jsonText } from '../../store/database/differences.js'
import type { AnyTables, SqlDialect } from '../../store/database/store.js'
import type { Operator } from './alternatives.js'
import type { Test } from './condition.js'

const eb = expressionBuilder<AnyTables, string>()

/**
 * Condition that any of the tests holds. Plain values become one `in` list, because a chain of `or` could
 * be too deep for a database.
 */
export function anyTest(
  dialect: SqlDialect,
  column: Expression<Stored>,
  tests: readonly Test[],
): Expression<SqlBool> {
  const isListed = ({ operator, value, until }: Test) =>
    operator === '=' && value !== null && until === undefined
  const listed = tests.filter(isListed).map(({ value }) => value)
  const others = tests.filter((test) => !isListed(test)).map((test) => compare(dialect, column, test))
  return eb.or(listed.length > 0 ? [eb(column, 'in', listed), ...others] : others)
}

/**
 * Condition that any test of a flag holds; a flag without a stored value counts as `unset`. The plain
 * column is compared, so that an index on it can be used.
 */
export function anyFlag(
  dialect: SqlDialect,
  column: Expression<Stored>,
  tests: readonly Test[],
  unset: Stored,
): Expression<SqlBool> {
  if (unset === null) return anyTest(dialect, column, tests)
  const found = [0, 1].filter((stored) =>
    tests.some(({ operator, value }) => (operator === '=') === (stored === (value ?? unset))),
  )
  return eb.or(
    found.flatMap((stored) => [
      eb(column, '=', stored),
      ...(stored === unset ? [eb(column, 'is', null)] : []),
    ]),
  )
}

/** Condition that any test of an expiry holds; `<` and `>` compare the year before the month. */
export function anyExpiry(
  dialect: SqlDialect,
  column: Expression<Stored>,
  tests: readonly Test[],
): Expression<SqlBool> {
  const ordering = tests.filter(isOrdering)
  const plain = tests.filter((test) => !isOrdering(test))
  const inOrder = ordering.map(({ operator, value }) => ({ operator, value: sortableExpiry(String(value)) }))
  return eb.or([
    ...some(plain, () => anyTest(dialect, column, plain)),
    ...some(inOrder, () => anyTest(dialect, sortableExpiryOf(column), inOrder)),
  ])
}

/** Column of expiries, converted to texts that sort by time. */
export function sortableExpiryOf(column: Expression<Stored>): Expression<Stored> {
  return sql<Stored>`(substr(${column}, 4, 2) || substr(${column}, 1, 2))`
}

function sortableExpiry(expiry: string): string {
  return expiry.slice(3) + expiry.slice(0, 2)
}

function isOrdering({ operator }: Test): boolean {
  return /[<>]/.test(operator)
}

/**
 * Condition that any test of a value inside a JSON column holds. The value has no declared kind: `<` and
 * `>` compare strings with the text of the literal, and numbers with its number.
 */
export function anyInside(
  dialect: SqlDialect,
  column: string,
  keys: readonly string[],
  tests: readonly Test[],
): Expression<SqlBool> {
  const ordering = tests.filter(isOrdering)
  const plain = tests.filter((test) => !isOrdering(test))
  const numeric = ordering.flatMap(({ operator, value }) => {
    const number = numberOf(value)
    return number === undefined ? [] : [{ operator, value: number }]
  })
  return eb.or([
    ...some(plain, () => anyTest(dialect, jsonText(dialect, column, keys), plain)),
    ...some(ordering, () => anyTest(dialect, jsonOnly(dialect, 'string', column, keys), ordering)),
    ...some(numeric, () => anyTest(dialect, jsonOnly(dialect, 'number', column, keys), numeric)),
  ])
}

function some<T>(tests: readonly Test[], make: () => T): T[] {
  return tests.length > 0 ? [make()] : []
}

function numberOf(value: Stored): number | undefined {
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(String(value))
  return isNumber && Number.isFinite(Number(value)) ? Number(value) : undefined
}

function compare(
  dialect: SqlDialect,
  column: Expression<Stored>,
  { operator, value, until }: Test,
): Expression<SqlBool> {
  if (until !== undefined) return compareRange(column, operator, value, until)
  switch (operator) {
    case '=':
      return eb(column, 'is', value)
    case '!':
      return value === null
        ? eb(column, 'is not', null)
        : eb.or([eb(column, '!=', value), eb(column, 'is', null)])
    case '?*':
      return contains(dialect, column, String(value))
    case '?':
      return beginsWith(dialect, column, String(value))
    default:
      return eb(column, operator, value)
  }
}

function compareRange(
  column: Expression<Stored>,
  operator: Operator,
  from: Stored,
  until: Stored,
): Expression<SqlBool> {
  return operator === '!'
    ? eb.or([eb(column, '<', from), eb(column, '>', until), eb(column, 'is', null)])
    : eb.and([eb(column, '>=', from), eb(column, '<=', until)])
}

/** Whether a constant passes a test. */
export function holds(constant: string, { operator, value }: Test): boolean {
  const text = String(value)
  switch (operator) {
    case '=':
      return constant === value
    case '!':
      return constant !== value
    case '<':
      return constant < text
    case '<=':
      return constant <= text
    case '>':
      return constant > text
    case '>=':
      return constant >= text
    case '?*':
      return foldedText(constant).includes(foldedText(text))
    case '?':
      return foldedText(constant).startsWith(foldedText(text))
  }
}
