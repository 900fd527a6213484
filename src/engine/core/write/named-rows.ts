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

/** Maximum number of objects that one PUT or DELETE by query may match. */
const MAX_MATCHES = 10_000

/** Resource and query of a write, which select its rows. */
interface Filtered {
  readonly resource: ResourceModel
  readonly query: Query
}

/** Locks the row of a path; it must also match the filters. Throws `NotFound`. */
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

/**
 * Locks all objects that a list changes or deletes, before the first change, so that their order in the
 * list does not matter.
 */
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

/**
 * Rows that a list changes, by id, as they are before the first change; rows that are not found are left
 * out.
 */
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

/** Row that an object of a list names. The row was locked before. Throws `InvalidAttributes`. */
export async function lockedOne(work: UnitOfWork, resource: ResourceModel, id: unknown): Promise<Row> {
  if (typeof id !== 'string') throw invalidAttributes({ id: 'Required' })
  const row = await work.lockRow(resource, id)
  if (!row) throw invalidAttributes({ id: 'Not found' })
  return row
}

/** Throws `BadRequest` for a query without filters: a forgotten filter must not change a whole table. */
export function refuseWithoutQuery(query: Query): void {
  if (!query.byQuery)
    throw new ApiError('BadRequest', 'A list of objects or mode=query with filters is needed')
  if (query.conditions.length === 0) throw new ApiError('BadRequest', 'mode=query needs at least one filter')
}

/**
 * Throws `BadRequest` for filters sent with a list. They would be ignored, so more objects could change
 * than the client intended.
 */
export function refuseQueryOfList({ byQuery, conditions }: Query): void {
  if (byQuery || conditions.length > 0)
    throw new ApiError('BadRequest', 'A list of objects is not taken together with mode=query or filters')
}

/** Locks all rows that match the filters. Throws `BadRequest` if there are more than `MAX_MATCHES`. */
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

/** Runs `judge` for one match of a query; an error gets the id of the row in its details. */
export async function judgeMatch<T>(row: Row, judge: () => Promise<T>): Promise<T> {
  try {
    return await judge()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(error.type, error.description, { id: String(row.id), ...error.details })
  }
}
