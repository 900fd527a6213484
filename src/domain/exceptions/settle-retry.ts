import type { Work } from '../../engine/core/write/work.js'
import { resources } from '../../resources/resource-table.js'
import { closeException } from './close-exception.js'

/** Value of `pending_operation` of an exception whose failed refund was sent again. */
export function pendingRetry(refundId: string): string {
  return `retry:${refundId}`
}

/**
 * Resolves the exception whose failed refund was sent again, if the refund is approved. If it is declined, an
 * operator can decide anew.
 */
export async function settleRetry(work: Work, refundId: string, isApproved: boolean): Promise<void> {
  const [row] = await work.findBy(resources.exception, 'pending_operation', pendingRetry(refundId))
  if (!row) return
  if (isApproved) await closeException(work, row, { resolution: 'retry', reason: row.reason })
  else await work.change(resources.exception, row.id, { pending_operation: null })
}
