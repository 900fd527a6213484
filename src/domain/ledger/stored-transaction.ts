import { ApiError } from '../../engine/core/request/api-error.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'

export type Status = NonNullable<TransactionRow['status']>
export type TransactionType = NonNullable<TransactionRow['type']>

/** A stored transaction as the rules of money see it. Amounts in minor units. */
export interface Transaction {
  readonly id: string
  readonly type: TransactionType
  readonly status: Status
  readonly fundingStatus: TransactionRow['funding_status']
  readonly processingId: string
  readonly amount: number
  readonly convFee: number
  readonly fee: number
  readonly accruedFee: number
  /** Sum of refunds that are processed or pending. */
  readonly refunded: number
  readonly chargedBack: number
  /** The part that pays invoices. */
  readonly allocated: number
  readonly riskFlag: TransactionRow['risk_flag']
  readonly requestedStatus: string | null
  readonly isAutomatic: boolean
  readonly pendingOperation: string | null
}

/** Reads a row; throws when the database holds a row that cannot be a transaction. */
export function storedTransaction(row: TransactionRow): Transaction {
  const { id, type, status, amount, processing_id: processingId } = row
  if (type === null || status === null || amount === null || processingId === null) {
    throw new Error(`Transaction ${id} is damaged: its type, status, amount or processing account is missing`)
  }
  return {
    id,
    type,
    status,
    amount,
    processingId,
    fundingStatus: row.funding_status,
    convFee: row.conv_fee ?? 0,
    fee: row.fee ?? 0,
    accruedFee: row.accrued_fee ?? 0,
    refunded: row.refunded ?? 0,
    chargedBack: row.charged_back ?? 0,
    allocated: row.allocated ?? 0,
    riskFlag: row.risk_flag,
    requestedStatus: row.requested_status,
    isAutomatic: row.automatic === 1,
    pendingOperation: row.pending_operation,
  }
}

/** Amount of a payment that can still be refunded or charged back. */
export function refundable({
  amount,
  refunded,
  chargedBack,
}: Pick<Transaction, 'amount' | 'refunded' | 'chargedBack'>): Minor {
  return amount - refunded - chargedBack
}

/** Error while another operation on the transaction is pending. See docs/money.md, "Refunds", rule 5. */
export function busy({ id }: Pick<Transaction, 'id'>): ApiError {
  return new ApiError('Conflict', `Another operation on ${id} has no outcome yet; try again when it has one`)
}
