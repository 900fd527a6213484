import type { ResourceModel, RowShape } from '../../../model/resource-model.js'
import { columnName } from '../../../schema/columns.js'
import type { ApiRequest } from '../request/request.js'
import type { RequestPath, Route } from '../request/route.js'
import type { Aggregate, Computed, Term } from './call.js'
import type { Condition, Test } from './condition.js'
import { type QueryTarget, resolveTarget } from './target.js'

/** Request whose path and query are parsed. */
export interface ParsedRequest {
  readonly request: ApiRequest
  readonly path: RequestPath
  readonly route: Route
  readonly query: Query
}

/** Parsed query string. Spec: "Query parameters". */
export interface Query {
  readonly conditions: readonly Condition[]
  /** Shape in which each row is shown. */
  readonly shape: RowShape
  /** Names in `fields` as they were written. */
  readonly fields: readonly string[]
  /** Functions in `fields` that are shown beside the attributes of each row. */
  readonly parts: readonly Term[]
  readonly limit: number
  readonly offset: number
  /** End of the previous page: the id of its last row, or an encrypted cursor. */
  readonly after: string | undefined
  readonly order: readonly Order[]
  /** Defined if groups of rows are requested, not rows. */
  readonly grouping: Grouping | undefined
  /** Whether `mode=query` is set: the filters select the objects of a PUT or DELETE. */
  readonly byQuery: boolean
}

export interface Order<V extends Computed = Term> {
  readonly value: V
  readonly direction: 'asc' | 'desc'
}

/**
 * Whether rows keep their places in a list that is sorted so. True if the list is sorted by id or by time of
 * creation, which never change.
 */
export function keepsPlaces(order: readonly Order[]): boolean {
  return order.every(({ value: { target } }) => {
    const { steps, end } = target
    if (steps.length > 0 || (end.kind !== 'value' && end.kind !== 'part')) return false
    const column = columnName(end.path)
    return column === 'id' || column === 'created_at'
  })
}

/** Whether a cursor is encrypted; otherwise it is an id. */
export function isSealedCursor(cursor: string): boolean {
  return cursor.includes('.')
}

/** Query for groups of rows. See docs/interface.md, "Functions and groups". */
export interface Grouping {
  /** Values that the rows of a group have in common; if empty, all rows are one group. */
  readonly by: readonly Term[]
  /** Shown values of a group, in the requested order. */
  readonly shown: readonly Computed[]
  readonly having: readonly Having[]
  readonly order: readonly Order<Computed>[]
}

/** Filter on groups. It holds if any of its tests does. */
export interface Having {
  readonly aggregate: Aggregate
  readonly tests: readonly Test[]
}

/** Targets of a query, except the attributes that it shows. */
export function targetsOf({ conditions, order, parts, grouping }: Query): QueryTarget[] {
  const ofRows = conditions.map(({ target }) => target)
  const shown = reached([...order.map(({ value }) => value), ...parts])
  return [...ofRows, ...shown, ...(grouping ? targetsOfGroups(grouping) : [])]
}

/** All attributes of a row that grouping requires. */
export function targetsOfGroups({ by, shown, having, order }: Grouping): QueryTarget[] {
  const filtered = having.map(({ aggregate }) => aggregate)
  return reached([...by, ...shown, ...filtered, ...order.map(({ value }) => value)])
}

function reached(values: readonly Computed[]): QueryTarget[] {
  return [...new Set(values.flatMap((value) => (value.kind === 'term' ? value.target : (value.of ?? []))))]
}

/**
 * Masked numbers that a query compares with a value, as `table.column`, once per comparison. A test whether
 * a number is set does not count.
 */
export function comparedNumbers(resource: ResourceModel, { conditions }: Query): string[] {
  return conditions.flatMap(({ target: { steps, end }, tests }) => {
    if (end.kind !== 'value' || end.field.kind !== 'secret') return []
    const { table } = steps.at(-1)?.resource ?? resource
    return tests.filter(({ value }) => value !== null).map(() => `${table}.${columnName(end.path)}`)
  })
}

/** Condition of a nested path: the column has this id. */
export function conditionOn(resource: ResourceModel, column: string, id: string): Condition {
  const target = resolveTarget(resource, [column])
  if (!target) throw new Error(`${resource.name} has no attribute ${column}`)
  return { target, tests: [{ operator: '=', value: id }] }
}
