import {
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { ResourceModel } from '../../../model/resource-model.js'
import { columnName, type Stored, secretColumns, storedAs } from '../../../schema/columns.js'
import { isLasting } from '../../../schema/field.js'
import { unsetFlag } from '../../../schema/wire.js'
import { jsonOnly, someItem } from '../../store/database/differences.js'
import type { AnyTables, SqlDialect } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import { anyExpiry, anyFlag, anyInside, anyTest, holds, sortableExpiryOf } from './compare.js'
import type { Condition, Test } from './condition.js'
import { endOf } from './end.js'
import { inScope, type ScopeContext } from './scope.js'
import { isManifold, type QueryTarget, type TargetEnd } from './target.js'

type Builder = ExpressionBuilder<AnyTables, string>

/** Context of a query's SQL. */
export interface QueryContext extends ScopeContext {
  readonly dialect: SqlDialect
  /** Vault that hashes the literals of secrets, if there are any. */
  readonly vault: Vault
}

/** SQL of a condition on rows of `table`. Related rows must be visible to the caller as well. */
export function whereOf(
  eb: Builder,
  table: string,
  { target, tests }: Condition,
  context: QueryContext,
): Expression<SqlBool> {
  const [step, ...further] = target.steps
  if (!step) return testsOf(table, target, tests, context)
  const inner = `${table}_r`
  const [theirs, ours] = step.field.kind === 'one' ? ['id', step.field.by] : [step.field.by, 'id']
  const beyond = { target: { steps: further, end: target.end }, tests }
  return eb.exists(
    eb
      .selectFrom(`${step.resource.table} as ${inner}`)
      .select(sql<number>`1`.as('found'))
      .where(sql.ref(`${inner}.${theirs}`), '=', sql.ref(`${table}.${ours}`))
      .where((e) => visible(e, inner, step.resource, context, isLasting(step.field)))
      .where((e) => whereOf(e, inner, beyond, context)),
  )
}

/**
 * Condition that a row is visible: not deleted unless `showsDeleted`, part of the view, and in the caller's
 * scope. In a list it also checks whether the statement may go on.
 */
export function visible(
  eb: Builder,
  table: string,
  resource: ResourceModel,
  context: Pick<ScopeContext, 'principal' | 'scan'>,
  showsDeleted = false,
): Expression<SqlBool> {
  const ofView = Object.entries(resource.view?.where ?? {}).map(([column, value]) =>
    eb(sql.ref(`${table}.${column}`), '=', value),
  )
  return eb.and([
    ...(context.scan ? [context.scan.goesOn(table, resource.table)] : []),
    ...(showsDeleted ? [] : [eb(sql.ref(`${table}.deleted_at`), 'is', null)]),
    ...ofView,
    ...inScope(eb, table, resource, context),
  ])
}

function testsOf(
  table: string,
  { end }: QueryTarget,
  tests: readonly Test[],
  context: QueryContext,
): Expression<SqlBool> {
  const { dialect } = context
  switch (end.kind) {
    case 'constant':
      return sql<SqlBool>`${tests.some((test) => holds(end.value, test)) ? 1 : 0} = 1`
    case 'inside':
      return anyInside(dialect, `${table}.${columnName(end.path)}`, end.keys, tests)
    case 'item': {
      const attribute = { name: end.name, type: storedAs(end.field) }
      return someItem(dialect, `${table}.${columnName(end.path)}`, attribute, (value) =>
        anyTest(dialect, value, tests),
      )
    }
    case 'derived':
    case 'part':
      return anyTest(dialect, endOf(end, table, context), tests)
    case 'value':
      return valueTests(table, end, tests, context)
  }
}

function valueTests(
  table: string,
  end: TargetEnd & { kind: 'value' },
  tests: readonly Test[],
  context: QueryContext,
): Expression<SqlBool> {
  const { field, path } = end
  const { dialect, vault } = context
  switch (field.kind) {
    case 'flag':
      return anyFlag(dialect, sql.ref<Stored>(`${table}.${columnName(path)}`), tests, unsetFlag(field))
    case 'expiry':
      return anyExpiry(dialect, endOf(end, table, context), tests)
    case 'secret': {
      const { sealed, hash } = secretColumns(path)
      return anyNumber(dialect, sql.ref<Stored>(`${table}.${hash}`), tests, (number) =>
        vault.numberHashes(number, sealed),
      )
    }
    default:
      return anyTest(dialect, endOf(end, table, context), tests)
  }
}

/**
 * Condition that any test of a number holds. During a rotation of its key, a number may be stored under
 * several hashes.
 */
function anyNumber(
  dialect: SqlDialect,
  column: Expression<Stored>,
  tests: readonly Test[],
  hashesOf: (number: string) => readonly string[],
): Expression<SqlBool> {
  const one = expressionBuilder<AnyTables, string>()
  const isOther = ({ operator, value }: Test) => operator === '!' && value !== null
  const same = tests.filter((test) => !isOther(test))
  const others = tests.filter(isOther)
  const hashed = same.flatMap(({ operator, value }): readonly Test[] =>
    value === null
      ? [{ operator, value }]
      : hashesOf(String(value)).map((hash) => ({ operator, value: hash })),
  )
  return one.or([
    anyTest(dialect, column, hashed),
    ...others.map(({ value }) =>
      one.or([one(column, 'not in', hashesOf(String(value))), one(column, 'is', null)]),
    ),
  ])
}

/** Value of a target on each row. Throws if the target leads through a list. */
export function rowValue(target: QueryTarget, table: string, context: QueryContext): RawBuilder<Stored> {
  return valueAcross(target, table, context, (end, of) => endOf(end, of, context))
}

/**
 * Expressions by which rows are ordered for a target, the most significant first. Values inside JSON are
 * ordered as numbers first, then as texts.
 */
export function rowOrder(
  target: QueryTarget,
  table: string,
  context: QueryContext,
): readonly RawBuilder<Stored>[] {
  const across = (value: ValueAt) => valueAcross(target, table, context, value)
  const { end } = target
  if (end.kind === 'value' && end.field.kind === 'expiry')
    return [across((at, of) => sortableExpiryOf(endOf(at, of, context)))]
  if (end.kind !== 'inside') return [rowValue(target, table, context)]
  return [
    across((_, of) => jsonOnly(context.dialect, 'number', `${of}.${columnName(end.path)}`, end.keys)),
    rowValue(target, table, context),
  ]
}

type ValueAt = (end: Exclude<TargetEnd, { kind: 'item' }>, table: string) => Expression<Stored>

function valueAcross(
  target: QueryTarget,
  table: string,
  context: QueryContext,
  value: ValueAt,
): RawBuilder<Stored> {
  const { steps, end } = target
  if (end.kind === 'item' || isManifold(target)) throw new Error('An attribute in a list has many values')
  const eb = expressionBuilder<AnyTables, string>()
  const name = (depth: number) => (depth < 0 ? table : `${table}_o${depth}`)
  return steps.reduceRight<RawBuilder<Stored>>(
    (inner, { field, resource }, depth) => {
      const outer = name(depth - 1)
      const related = name(depth)
      const isRelated = sql`${sql.ref(`${related}.id`)} = ${sql.ref(`${outer}.${field.by}`)}`
      return sql<Stored>`(select ${inner} from ${sql.table(resource.table)} as ${sql.ref(related)} where ${isRelated} and ${visible(eb, related, resource, context, isLasting(field))})`
    },
    sql<Stored>`${value(end, name(steps.length - 1))}`,
  )
}
