import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row, Stored } from '../../../schema/columns.js'
import { derive } from '../../../schema/derive.js'
import type { ChangedRow, LoggedWork } from './changed-rows.js'

/** The state of an object: its status, or that it is deleted. */
export function statusOf({ attributes: { status } }: ResourceModel, row: Row, now: string): string | null {
  if ((row.deleted_at ?? null) !== null) return 'deleted'
  const value = status?.kind === 'derived' ? derive(status, row, now) : row.status
  return typeof value === 'string' ? value : null
}

/** The processing account that the first of some objects belongs to; null where none says it. */
export function processingIdOf(
  work: LoggedWork,
  objects: readonly Pick<ChangedRow, 'resource' | 'after'>[],
): string | null {
  for (const { resource, after } of objects)
    for (const id of ownersOf(work, resource, after)) if (typeof id === 'string') return id
  return null
}

/** Ids of owners: those that a row names come before its own. */
function ownersOf(work: LoggedWork, { ownership, model }: ResourceModel, row: Row): readonly Stored[] {
  return ownership
    .toSorted((a, b) => Number(a.column === 'id') - Number(b.column === 'id'))
    .flatMap((way) => {
      const id = row[way.column] ?? null
      if (way.kind === 'names') return [id]
      if (way.kind === 'named_by' || id === null) return []
      const parent = model.get(way.resource)
      const parentRow = work.cachedRow(parent.table, String(id))
      return parentRow ? ownersOf(work, parent, parentRow) : []
    })
}
