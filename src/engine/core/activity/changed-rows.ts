import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { RowChange } from '../../store/database/store.js'
import { type LoggedTable, loggedServiceTable } from './logged-table.js'

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
  /** A row that is not deleted; undefined also where it is no part of a view. */
  findRow(resource: ResourceModel, id: string): Promise<Row | undefined>
}

/** A row that was inserted, changed or deleted. */
export interface ChangedRow {
  readonly resource: LoggedTable
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
 * Rows that need lines, by their ids, in the order in which they were changed first, those of resources before others. A change that no client
 * sees is bookkeeping, and needs none: `modified_at` stays as it was, or, where that is not sealed, every attribute.
 */
export function changedRows(work: LoggedWork, changes: readonly RowChange[]): Map<string, ChangedRow> {
  const found = new Map<string, ChangedRow>()
  const ofService: ChangedRow[] = []
  for (const change of changes) {
    const row = changedBy(work, change)
    if (!row) continue
    if (work.model.loggedIn(row.resource.table)) found.set(row.id, row)
    else ofService.push(row)
  }
  for (const row of unsealedRows(work)) found.set(row.id, row)
  for (const row of ofService) found.set(row.id, row)
  return found
}

/** Changed rows of resources that are not sealed. */
function unsealedRows(work: LoggedWork): ChangedRow[] {
  return [...work.touched]
    .filter(([resource]) => isUnsealed(resource) && work.model.loggedIn(resource.table) !== undefined)
    .flatMap(([resource, ids]) =>
      [...ids]
        .filter((id) => work.cachedRow(resource.table, id)?.modified_at === work.now)
        .map((id) => changedRow(work, { resource, id, isControl: false, sealed: () => ({ id }) })),
    )
}

/** The row that a change of a sealed table has changed; undefined where it needs no line. */
function changedBy(work: LoggedWork, change: RowChange): ChangedRow | undefined {
  const { table, values, removed } = change
  const resource = work.model.loggedIn(table.table) ?? loggedServiceTable(table.table)
  if (!resource) return undefined
  const modified = table.modifiedOf(values)
  if (!removed && modified !== undefined && modified !== work.now) return undefined
  const id = table.idOf(values)
  const isControl = table.controls(values)
  const row = changedRow(work, { resource, id, isControl, sealed: () => sealedRow(change) })
  if (removed) return { ...row, after: { ...row.after, deleted_at: work.now } }
  return modified !== undefined || isSeen(row) ? row : undefined
}

function changedRow(
  work: LoggedWork,
  {
    resource,
    id,
    isControl,
    sealed,
  }: Pick<ChangedRow, 'resource' | 'id' | 'isControl'> & { readonly sealed: () => Row },
): ChangedRow {
  const before = work.rowBefore(id)
  const after = work.cachedRow(resource.table, id) ?? sealed()
  const isNew = work.hasInserted(id) || (!before && after.created_at === work.now)
  return { resource, id, isNew, before, after, isControl }
}

/** Whether a change of a row is seen by clients; it is where nobody knows the row as it was before. */
function isSeen({ resource, isNew, before, after }: ChangedRow): boolean {
  if (isNew || !before) return true
  return resource.tracked.some(({ columns }) => columns.some((column) => before[column] !== after[column]))
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
