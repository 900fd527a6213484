import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { Input } from '../../../schema/types.js'
import { lockRows, type RowLock } from '../../store/database/differences.js'
import type { Query } from '../query/query.js'
import { matching, notFound } from '../read/read-page.js'
import { ApiError, invalidAttributes } from '../request/api-error.js'
import type { ParentRef } from '../request/route.js'
import { lockOwners } from './lock-order.js'
import type { UnitOfWork } from './unit-of-work.js'

/** The most objects that one PUT or DELETE by query may match. */
const MAX_MATCHES = 10_000

/** Which rows a write names, by its path or by its filters. */
interface Filtered {
  readonly resource: ResourceModel
  readonly query: Query
}

/** The row of a path, for which the filters must hold too. Throws `NotFound`. */
export async function lockItem(
  work: UnitOfWork,
  { resource, query }: Filtered,
  id: string,
  parent?: ParentRef,
  lock?: RowLock,
): Promise<Row> {
  const row = await work.lockRow(resource, id, lock)
  const holds = row && (query.conditions.length === 0 || (await matchesOnly(work, resource, query, id)))
  if (!holds || (parent && !(await work.isBelow(parent, row)))) throw notFound(resource, id)
  return row
}

async function matchesOnly(
  work: UnitOfWork,
  resource: ResourceModel,
  query: Query,
  id: string,
): Promise<boolean> {
  const found = matching(work.tx.any, resource, query.conditions, work.queryContext)
  return (await found.select('t.id').where('t.id', '=', id).executeTakeFirst()) !== undefined
}

/** Locks what a list changes or deletes before its first object is, so that the order in the list does not matter. */
export async function lockListed(
  work: UnitOfWork,
  resource: ResourceModel,
  inputs: readonly Input[],
  lock: RowLock,
): Promise<void> {
  const ids = inputs.map(({ id }) => id).filter((id) => typeof id === 'string')
  await work.lockInOrder(resource, ids, lock)
  const rows = ids.map((id) => work.cachedRow(resource.table, id)).filter((row) => row !== undefined)
  await lockOwners(work, resource, rows)
}

/** The rows that a list changes, by their ids, as they are before its first object is changed; without those that are not found. */
export async function listedBefore(
  work: UnitOfWork,
  resource: ResourceModel,
  inputs: readonly Input[],
): Promise<ReadonlyMap<unknown, Row>> {
  const rows = new Map<unknown, Row>()
  for (const { id } of inputs) {
    const row = typeof id === 'string' && !rows.has(id) ? await work.lockRow(resource, id) : undefined
    if (row) rows.set(id, row)
  }
  return rows
}

/** The row that an object of a list names, locked before. Throws `InvalidAttributes`. */
export async function lockedOne(work: UnitOfWork, resource: ResourceModel, id: unknown): Promise<Row> {
  if (typeof id !== 'string') throw invalidAttributes({ id: 'Required' })
  const row = await work.lockRow(resource, id)
  if (!row) throw invalidAttributes({ id: 'Not found' })
  return row
}

/** A forgotten filter must not change a whole table: a query without any is refused. */
export function refuseWithoutQuery(query: Query): void {
  if (!query.byQuery)
    throw new ApiError('BadRequest', 'A list of objects or mode=query with filters is needed')
  if (query.conditions.length === 0) throw new ApiError('BadRequest', 'mode=query needs at least one filter')
}

/** A list says itself which objects are meant: filters beside it would be ignored, and more would go than was meant. */
export function refuseQueryOfList({ byQuery, conditions }: Query): void {
  if (byQuery || conditions.length > 0)
    throw new ApiError('BadRequest', 'A list of objects is not taken together with mode=query or filters')
}

/** All rows that match the filters. Throws `BadRequest` when they are too many. */
export async function lockMatches(
  work: UnitOfWork,
  { resource, query }: Filtered,
  lock: RowLock,
): Promise<Row[]> {
  const found = matching(work.tx.any, resource, query.conditions, work.queryContext)
  const rows = await lockRows(
    work.tx.dialect,
    found
      .selectAll('t')
      .orderBy('t.id')
      .limit(MAX_MATCHES + 1),
    lock,
  ).execute()
  for (const row of rows) work.keep(resource, row, lock)
  await lockOwners(work, resource, rows)
  if (rows.length <= MAX_MATCHES) return rows
  throw new ApiError('BadRequest', `The query matches more than ${MAX_MATCHES} objects`)
}

/** The error of a match that a query found has the id of the match in its details. */
export async function judgeMatch<T>(row: Row, judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.type, error.description, { id: String(row.id), ...error.details })
  }
}
