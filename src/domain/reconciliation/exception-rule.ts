import { ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import { resolutionsOf } from '../exceptions/raise-exception.js'

/** Exceptions are found by what gateways say; operators decide them. */
export const exceptionRule: Rule<'exception'> = {
  actions: {
    resolve: {
      async perform(work, row, { resolution, reason }) {
        if (row.status !== 'open') throw new ApiError('Conflict', `${row.id} is resolved already`)
        const chosen = resolutionsOf(row).find((each) => each === resolution)
        if (!chosen)
          throw invalidAttributes({ resolution: `Must be one of: ${resolutionsOf(row).join(', ')}` })
        return await close(work, row, chosen, typeof reason === 'string' ? reason : null)
      },
    },
  },
}

async function close(
  work: Work,
  row: ExceptionRow,
  resolution: NonNullable<ExceptionRow['resolution']>,
  reason: string | null,
): Promise<ExceptionRow> {
  const changed = await work.change('exception', row.id, {
    ...{ status: 'resolved', resolution, reason },
    resolved_at: work.now,
  })
  work.emit({
    trigger: 'exception',
    object: 'exception',
    id: row.id,
    value: changed.status,
    processingId: row.processing_id,
  })
  return changed
}
