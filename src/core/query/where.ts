import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { columnName, type Stored, secretColumns } from '../../schema/columns.js'
import { type Resource, tableOf } from '../../schema/resource.js'
import { contains, jsonText } from '../../store/differences.js'
import type { AnyTables, Dialect } from '../../store/store.js'
import type { Vault } from '../../store/vault.js'
import { inScope, type Seeing } from '../scope.js'
import { caseOf } from './case.js'
import type { Condition, Test } from './condition.js'
import type { Target } from './target.js'

type Builder = ExpressionBuilder<AnyTables, string>

/** What a filter needs besides itself. */
export interface Asking extends Seeing {
  readonly dialect: Dialect
  /** Hashes the literal of a secret; only asked for when there is one. */
  readonly vault: Vault
}

/** The SQL of a condition on rows of `table`; related rows must be visible to the caller as well. */
export function whereOf(
  eb: Builder,
  table: string,
  { target, tests }: Condition,
  asking: Asking,
): Expression<SqlBool> {
  const [step, ...further] = target.steps
  if (!step) return testsOf(eb, table, target, tests, asking)
  const inner = `${table}_r`
  const [theirs, ours] = step.field.kind === 'one' ? ['id', step.field.by] : [step.field.by, 'id']
  const beyond = { target: { steps: further, end: target.end }, tests }
  return eb.exists(
    eb
      .selectFrom(`${tableOf(step.resource)} as ${inner}`)
      .select(sql<number>`1`.as('found'))
      .where(sql.ref(`${inner}.${theirs}`), '=', sql.ref(`${table}.${ours}`))
      .where((e) => visible(e, inner, step.resource, asking))
      .where((e) => whereOf(e, inner, beyond, asking)),
  )
}

/** Not deleted, of the view, and in the caller's scope. */
export function visible(eb: Builder, table: string, resource: Resource, seeing: Seeing): Expression<SqlBool> {
  const ofView = Object.entries(resource.view?.where ?? {}).map(([column, value]) =>
    eb(sql.ref(`${table}.${column}`), '=', value),
  )
  return eb.and([
    eb(sql.ref(`${table}.deleted_at`), 'is', null),
    ...ofView,
    ...inScope(eb, table, resource, seeing),
  ])
}

function testsOf(
  eb: Builder,
  table: string,
  { end }: Target,
  tests: readonly Test[],
  asking: Asking,
): Expression<SqlBool> {
  switch (end.kind) {
    case 'constant':
      return sql<SqlBool>`${tests.some((test) => holds(end.value, test)) ? 1 : 0} = 1`
    case 'derived':
      return compareAll(eb, caseOf(end.field, table, asking), tests, asking)
    case 'inside':
      return compareAll(
        eb,
        jsonText(asking.dialect, `${table}.${columnName(end.path)}`, end.keys),
        tests,
        asking,
      )
    case 'value': {
      if (end.field.kind !== 'secret')
        return compareAll(eb, sql.ref<Stored>(`${table}.${columnName(end.path)}`), tests, asking)
      const { sealed, hash } = secretColumns(end.path)
      const hashed = tests.map(({ operator, value }) => ({
        operator,
        value: value === null ? null : asking.vault.hash(String(value), sealed),
      }))
      return compareAll(eb, sql.ref<Stored>(`${table}.${hash}`), hashed, asking)
    }
  }
}

/** Any of the tests; values that are asked for as they are become one list, which no database finds too deep. */
function compareAll(
  eb: Builder,
  column: Expression<Stored>,
  tests: readonly Test[],
  asking: Asking,
): Expression<SqlBool> {
  const isListed = ({ operator, value }: Test) => operator === '=' && value !== null
  const listed = tests.filter(isListed).map(({ value }) => value)
  const others = tests.filter((test) => !isListed(test)).map((test) => compare(eb, column, test, asking))
  return eb.or(listed.length > 0 ? [eb(column, 'in', listed), ...others] : others)
}

function compare(
  eb: Builder,
  column: Expression<Stored>,
  { operator, value }: Test,
  asking: Asking,
): Expression<SqlBool> {
  switch (operator) {
    case '=':
      return eb(column, 'is', value)
    case '!':
      return value === null
        ? eb(column, 'is not', null)
        : eb.or([eb(column, '!=', value), eb(column, 'is', null)])
    case '?*':
      return contains(asking.dialect, column, String(value))
    default:
      return eb(column, operator, value)
  }
}

function holds(constant: string, { operator, value }: Test): boolean {
  const text = String(value)
  switch (operator) {
    case '=':
      return constant === text
    case '!':
      return constant !== text
    case '<':
      return constant < text
    case '<=':
      return constant <= text
    case '>':
      return constant > text
    case '>=':
      return constant >= text
    case '?*':
      return constant.toLowerCase().includes(text.toLowerCase())
  }
}
