import type { Row, Stored } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { ChangedRow, LoggedWork } from './changed-rows.js'
import type { LoggedTable } from './logged-table.js'

/** Status of an object, or `deleted`; null if it has no status. */
export function statusOf({ attributes: { status } }: LoggedTable, row: Row, now: string): string | null {
  if ((row.deleted_at ?? null) !== null) return 'deleted'
  const value = status?.kind === 'derived' ? derive(status, row, now) : row.status
  return typeof value === 'string' ? value : null
}

/** Id of the processing account that an object belongs to; null if the object does not show it. */
export function processingIdOf(
  work: LoggedWork,
  { resource, after }: Pick<ChangedRow, 'resource' | 'after'>,
): string | null {
  return ownersOf(work, resource, after).find((id) => typeof id === 'string') ?? null
}

/** Ids of possible owners of a row. The ids that the row references come first, then its own id. */
function ownersOf(work: LoggedWork, { ownership }: LoggedTable, row: Row): readonly Stored[] {
  return ownership
    .toSorted((a, b) => Number(a.column === 'id') - Number(b.column === 'id'))
    .flatMap((way) => {
      const id = row[way.column] ?? null
      if (way.kind === 'names') return [id]
      if (way.kind === 'named_by' || id === null) return []
      const parent = work.model.get(way.resource)
      const parentRow = work.cachedRow(parent.table, String(id))
      return parentRow ? ownersOf(work, parent, parentRow) : []
    })
}
