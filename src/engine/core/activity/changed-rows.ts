import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { RowChange } from '../../store/database/store.js'

/** What lines of activity need to know of a unit of work. */
export interface LoggedWork {
  readonly model: Model
  readonly now: string
  readonly realNow: string
  /** Rows that were inserted, changed or read again. */
  readonly touched: ReadonlyMap<ResourceModel, ReadonlySet<string>>
  newId(prefix: string): string
  cachedRow(table: string, id: string): Row | undefined
  rowBefore(id: string): Row | undefined
  hasInserted(id: string): boolean
}

/** A row that was inserted, changed or deleted. */
export interface ChangedRow {
  readonly resource: ResourceModel
  readonly id: string
  readonly isNew: boolean
  /** As it was before, if it was read then. */
  readonly before: Row | undefined
  /** As it is now: all of it, or what the books seal of it. */
  readonly after: Row
  /** Whether it says who may do what, or where money goes. */
  readonly isControl: boolean
}

/**
 * Rows of resources that need lines, by their ids, in the order in which they were changed first. A change that no client
 * sees (`modified_at` stays as it was) is bookkeeping, and needs none.
 */
export function changedRows(work: LoggedWork, changes: readonly RowChange[]): Map<string, ChangedRow> {
  const found = new Map<string, ChangedRow>()
  for (const { table, values, removed } of changes) {
    const resource = work.model.loggedIn(table.table)
    if (!resource || !(removed || table.modifiedOf(values) === work.now)) continue
    const id = table.idOf(values)
    found.set(
      id,
      changedRow(work, resource, id, () => sealedRow({ table, values }), table.controls(values)),
    )
  }
  for (const [resource, ids] of work.touched) {
    if (!isUnsealed(resource) || work.model.loggedIn(resource.table) === undefined) continue
    for (const id of ids)
      if (work.cachedRow(resource.table, id)?.modified_at === work.now)
        found.set(
          id,
          changedRow(work, resource, id, () => ({ id }), false),
        )
  }
  return found
}

function changedRow(
  work: LoggedWork,
  resource: ResourceModel,
  id: string,
  sealed: () => Row,
  isControl: boolean,
): ChangedRow {
  const before = work.rowBefore(id)
  const after = work.cachedRow(resource.table, id) ?? sealed()
  const isNew = work.hasInserted(id) || (!before && after.created_at === work.now)
  return { resource, id, isNew, before, after, isControl }
}

function isUnsealed({ seals }: ResourceModel): boolean {
  return seals !== undefined && 'unsealed' in seals
}

function sealedRow({ table, values }: RowChange): Row {
  const row: Row = {}
  for (const [index, { column }] of table.columns.entries()) {
    const value = values[index]
    row[column] = typeof value === 'string' || typeof value === 'number' ? value : null
  }
  return row
}
