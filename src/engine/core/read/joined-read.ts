import { type RawBuilder, sql } from 'kysely'
import type {
  RelationStep,
  RenderContext,
  ResourceModel,
  RowContext,
  RowShape,
} from '../../../model/resource-model.js'
import type { RowValues } from '../../../schema/columns.js'
import { isLasting } from '../../../schema/field.js'
import { type Prepared, preparedValues } from '../../store/database/prepared.js'
import { using } from '../../store/database/raw-use.js'

/** Reads an object by its id together with the objects shown inside it, all as of one moment. */
export interface JoinedRead {
  readonly query: Prepared<{ id: string }, RowValues>
  /**
   * Object as JSON text. Undefined if a nested object references further objects, because they need another
   * read.
   */
  text(values: RowValues, context: RenderContext): string | undefined
}

/** Object that is shown inside another one. */
interface Inside {
  readonly step: RelationStep & { kind: 'one' }
  /** Alias of the object's table. */
  readonly alias: string
  /** Index of the object's first value. */
  readonly offset: number
  /** Index of the object's id. */
  readonly id: number
}

/** Joined read of a shape; undefined if the shape shows lists. */
export function joinedRead(shape: RowShape): JoinedRead | undefined {
  if (shape.showsList) return undefined
  const columns = shape.columns.map((name) => `t.${name}`)
  const inside = new Map<RelationStep, Inside>()
  for (const step of shape.relations) {
    if (step.kind === 'many') continue
    const alias = `i${inside.size}`
    const offset = columns.length
    inside.set(step, { step, alias, offset, id: offset + step.shape.placeOf('id') })
    columns.push(...step.shape.columns.map((name) => `${alias}.${name}`))
  }
  const further = [...inside.values()].flatMap(referencesInside)
  return {
    query: queryFor(shape.resource, columns, [...inside.values()]),
    text(values, { now, addresses }) {
      if (further.some((place) => values[place] !== null)) return undefined
      const innermost: RowContext = { now, addresses, related: noneRelated }
      return shape.write(values, {
        now,
        addresses,
        related: (step) => textInside(values, innermost, inside.get(step)),
      })
    },
  }
}

/** Indexes of values that reference objects further inside. */
function referencesInside({ step: { shape }, offset }: Inside): number[] {
  return shape.relations.map(({ field }) => offset + shape.placeOf(field.by))
}

/** Text of an object inside; undefined if it does not exist or may not be shown. */
function textInside(values: RowValues, context: RowContext, inside: Inside | undefined): string | undefined {
  if (!inside || values[inside.id] === null) return undefined
  return inside.step.shape.writeMarked(values, context, inside.offset)
}

function noneRelated(): undefined {
  return undefined
}

function queryFor(resource: ResourceModel, columns: readonly string[], inside: readonly Inside[]) {
  const selected = sql.join(columns.map((column) => sql.ref(column)))
  const joins = inside.map(({ step: { field, shape }, alias }) => {
    const named = sql`${sql.ref(`${alias}.id`)} = ${sql.ref(`t.${field.by}`)}`
    return sql` left join ${aliased(shape.resource, alias)} on ${named}${visibleAs(alias, shape.resource, isLasting(field))}`
  })
  const from = sql`${aliased(resource, 't')}${sql.join(joins, sql``)}`
  const reads = [resource.table, ...inside.map(({ step }) => step.shape.resource.table)]
  return preparedValues<{ id: string }>((db, param) => ({
    compile: () => {
      const row = sql`select ${selected} from ${from} where t.id = ${param('id')}${visibleAs('t', resource)}`
      return using({ reads }, row).compile(db)
    },
  }))
}

function aliased({ table }: ResourceModel, alias: string): RawBuilder<unknown> {
  return sql`${sql.table(table)} as ${sql.id(alias)}`
}

/** Condition that rows belong to the view and are not deleted, unless deleted rows are shown too. */
function visibleAs(alias: string, { view }: ResourceModel, showsDeleted = false): RawBuilder<unknown> {
  const alive = showsDeleted ? sql`` : sql` and ${sql.ref(`${alias}.deleted_at`)} is null`
  const ofView = Object.entries(view?.where ?? {}).map(
    ([column, value]) => sql` and ${sql.ref(`${alias}.${column}`)} = ${sql.lit(value)}`,
  )
  return sql`${alive}${sql.join(ofView, sql``)}`
}
