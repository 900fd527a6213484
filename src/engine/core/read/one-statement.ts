import { type RawBuilder, sql } from 'kysely'
import type { RowValues } from '../../../schema/columns.js'
import { isLasting, type OneField } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { listOf, MAX_COLUMNS, selectList } from '../../store/database/differences.js'
import { type Prepared, preparedValues } from '../../store/database/prepared.js'
import { using } from '../../store/database/raw-use.js'
import type { SqlDialect } from '../../store/database/store.js'
import { isDefaultSelection, type Selection } from '../query/selection.js'
import {
  columnsToShow,
  type ProjectionPlan,
  type ProjectionStep,
  projectionPlanOf,
  type RelatedStep,
  relatedStepsOf,
} from './plan.js'
import { type Layout, marked, planWriter, type RenderContext, type Writer } from './row-text.js'

/** Reads an object by its id together with the objects that it shows inside, all as they are at one moment. */
export interface OneStatement {
  readonly query: Prepared<{ id: string }, RowValues>
  /** The object as JSON text; nothing when one that it shows inside has others inside, which have to be read as well. */
  text(row: RowValues, moment: RenderContext): string | undefined
}

/**
 * What reads the selected attributes for who may see everything, made once; nothing where they are not the default ones, as
 * clients choose among too many others to keep a statement for each, or where they have lists among them.
 */
export function oneStatementOf(
  database: Declared,
  resource: Resource,
  selection: Selection,
): OneStatement | undefined {
  if (!isDefaultSelection(selection)) return undefined
  const statements = STATEMENTS[database.dialect]
  const known = statements.get(selection) ?? oneStatement(database, resource, selection) ?? 'too much'
  statements.set(selection, known)
  return known === 'too much' ? undefined : known
}
const STATEMENTS: Readonly<Record<SqlDialect, WeakMap<Selection, OneStatement | 'too much'>>> = {
  sqlite: new WeakMap(),
  postgres: new WeakMap(),
}

interface Declared {
  readonly registry: Registry
  readonly dialect: SqlDialect
}

function oneStatement(
  { registry, dialect }: Declared,
  resource: Resource,
  selection: Selection,
): OneStatement | undefined {
  const plan = projectionPlanOf(resource, selection)
  const columns = columnsToShow(resource, selection).map((name) => `t.${name}`)
  const inside: Inside[] = []
  for (const step of singlesIn(plan)) inside.push(insideOf(registry, step, `i${inside.length}`, columns))
  const plans = [plan, ...inside.map((each) => each.plan)]
  if (columns.length > MAX_COLUMNS || plans.some(showsList)) return undefined
  const needsMore = inside.flatMap(({ further }) => further)
  const write = planWriter(plan, layoutOf('t', columns, inside))
  return {
    query: queryFor(resource, selectList(dialect, columns), inside),
    text(row, moment) {
      const values = listOf(dialect, row)
      return needsMore.some((place) => values[place] !== null) ? undefined : write(values, moment)
    },
  }
}

/** An object that is shown inside of another. */
interface Inside {
  readonly field: OneField
  readonly target: Resource
  readonly plan: ProjectionPlan
  readonly alias: string
  readonly write: Writer<RowValues>
  /** Where the columns are that name objects inside of it. */
  readonly further: readonly number[]
}

/** Adds its columns to those of the statement. */
function insideOf(
  registry: Registry,
  { field, selection }: ProjectionStep & { kind: 'one' },
  alias: string,
  columns: string[],
): Inside {
  const target = registry.get(field.to)
  const plan = projectionPlanOf(target, selection)
  for (const name of columnsToShow(target, selection)) columns.push(`${alias}.${name}`)
  const place = (name: string) => columns.indexOf(`${alias}.${name}`)
  const write = planWriter(plan, layoutOf(alias, columns, []))
  const [id, deletedAt] = [place('id'), place('deleted_at')]
  return {
    field,
    target,
    plan,
    alias,
    further: singlesIn(plan).map((step) => place(step.field.by)),
    write(values, moment) {
      if (values[id] === null) return NOTHING
      return marked((values[deletedAt] ?? null) !== null, plan, write(values, moment))
    },
  }
}

const NOTHING = 'null'

/** Where the columns of a table are in the list that the statement answers. */
function layoutOf(
  alias: string,
  columns: readonly string[],
  inside: readonly Inside[],
): Layout<RowValues, RenderContext> {
  return {
    column(name) {
      const place = columns.indexOf(`${alias}.${name}`)
      return (values) => values[place] ?? null
    },
    one: ({ field }) => inside.find((each) => each.field === field)?.write ?? (() => NOTHING),
    many: () => () => '[]',
  }
}

function singlesIn(plan: ProjectionPlan): (RelatedStep & { kind: 'one' })[] {
  return relatedStepsOf(plan).filter((step) => step.kind === 'one')
}

function showsList(plan: ProjectionPlan): boolean {
  return relatedStepsOf(plan).some(({ kind }) => kind === 'many')
}

function queryFor(resource: Resource, columns: RawBuilder<unknown>, inside: readonly Inside[]) {
  const joins = inside.map(({ field, target, alias }) => {
    const named = sql`${sql.ref(`${alias}.id`)} = ${sql.ref(`t.${field.by}`)}`
    return sql` left join ${aliased(target, alias)} on ${named}${visibleAs(alias, target, isLasting(field))}`
  })
  const from = sql`${aliased(resource, 't')}${sql.join(joins, sql``)}`
  return preparedValues<{ id: string }>((db, param) => ({
    compile: () => {
      const row = sql`select ${columns} from ${from} where t.id = ${param('id')}${visibleAs('t', resource)}`
      return using({ reads: [tableNameOf(resource)] }, row).compile(db)
    },
  }))
}

function aliased(resource: Resource, alias: string): RawBuilder<unknown> {
  return sql`${sql.table(tableNameOf(resource))} as ${sql.id(alias)}`
}

/** Rows that are not deleted, or those too; of a view only its own. */
function visibleAs(alias: string, { view }: Resource, showsDeleted = false): RawBuilder<unknown> {
  const alive = showsDeleted ? sql`` : sql` and ${sql.ref(`${alias}.deleted_at`)} is null`
  const ofView = Object.entries(view?.where ?? {}).map(
    ([column, value]) => sql` and ${sql.ref(`${alias}.${column}`)} = ${sql.lit(value)}`,
  )
  return sql`${alive}${sql.join(ofView, sql``)}`
}
