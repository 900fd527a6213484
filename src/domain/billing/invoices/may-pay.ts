import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { isReturn } from '../../../schema/status-codes.js'

/**
 * Whether a payment that was meant for an invoice pays it now or may still do so. A payment may pay later when it is
 * processed, or when a dispute about it is won. Refunded or voided amounts do not come back, and a bank return is
 * final.
 */
export function mayPay({
  status,
  status_code: code,
  charged_back: chargedBack,
  allocated,
}: Pick<TransactionRow, 'status' | 'status_code' | 'charged_back' | 'allocated'>): boolean {
  switch (status) {
    case 'authorized':
    case 'processing':
      return true
    case 'processed':
      return (allocated ?? 0) + (chargedBack ?? 0) > 0
    case 'rejected':
      return !isReturn(code)
    default:
      return false
  }
}
