import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { RowChange } from '../../store/database/store.js'
import { type LoggedTable, loggedServiceTable } from './logged-table.js'

/** Parts of a unit of work from which lines of activity are made. */
export interface LoggedWork {
  readonly model: Model
  readonly now: string
  readonly realNow: string
  /** Ids of rows that were inserted, changed or read again, by resource. */
  readonly touched: ReadonlyMap<ResourceModel, ReadonlySet<string>>
  newId(prefix: string): string
  cachedRow(table: string, id: string): Row | undefined
  rowBefore(id: string): Row | undefined
  hasInserted(id: string): boolean
  /** Row that is not deleted; undefined also if it does not belong to the resource's view. */
  findRow(resource: ResourceModel, id: string): Promise<Row | undefined>
}

/** Row that was inserted, changed or deleted. */
export interface ChangedRow {
  readonly resource: LoggedTable
  readonly id: string
  readonly isNew: boolean
  /** Row before the change, if it was read then. */
  readonly before: Row | undefined
  /** Row after the change: the whole row, or only its sealed columns. */
  readonly after: Row
  /** Whether the row is a control row: it grants rights, or directs money. */
  readonly isControl: boolean
}

/**
 * Rows that need lines, by id. Rows of resources come first, then those of service tables, each in the order
 * of their first change. A change that no client sees is bookkeeping and needs no line. Such a change leaves
 * `modified_at` unchanged. In tables without that column, it leaves all visible attributes unchanged.
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

/** Row that a change in a sealed table affects; undefined if the row needs no line. */
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

/** Whether clients can see the change of a row. True if the state before the change is unknown. */
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
