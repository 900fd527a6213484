import { ApiError } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { announceException, type Resolution, resolutionsOf } from './raise-exception.js'

/** Decision about an exception, with its reason. */
export interface Decided {
  readonly resolution: Resolution
  readonly reason: string | null
  /** The transaction that the exception belongs to. */
  readonly transaction?: { readonly id: string; readonly processing_id: string | null }
}

/** Stores the decision about an exception, and fires its event. */
export async function closeException(
  work: Work,
  { id }: Pick<ExceptionRow, 'id'>,
  { resolution, reason, transaction }: Decided,
): Promise<ExceptionRow> {
  const closed = await work.change(resources.exception, id, {
    status: 'resolved',
    resolution,
    reason,
    resolved_at: work.now,
    pending_operation: null,
    ...(transaction && { transaction_id: transaction.id, processing_id: transaction.processing_id }),
  })
  announceException(work, closed)
  return closed
}

/** Closes an exception as linked: the payment that it was about has since been found, so no decision is left. */
export async function closeExplained(work: Work, row: ExceptionRow, reason: string): Promise<void> {
  const resolutions = [...new Set<Resolution>([...resolutionsOf(row), 'link'])]
  await work.change(resources.exception, row.id, { resolutions: JSON.stringify(resolutions) })
  await closeException(work, row, { resolution: 'link', reason })
}

/**
 * Locks an open exception until the unit of work ends. Throws `Conflict` if it is resolved, or if a gateway has yet
 * to answer an operation that is to resolve it.
 */
export async function openException(work: Work, id: string): Promise<ExceptionRow> {
  const row = await work.lock(resources.exception, id)
  if (row?.status !== 'open') throw new ApiError('Conflict', `${id} is resolved already`)
  if (row.pending_operation !== null)
    throw new ApiError(
      'Conflict',
      `The gateway was asked to give it back, and has not said what became of it`,
    )
  return row
}
