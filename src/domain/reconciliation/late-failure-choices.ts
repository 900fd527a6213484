import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { ExceptionRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { RemoteGateway } from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { closeException } from '../exceptions/close-exception.js'
import { pendingRetry } from '../exceptions/settle-retry.js'
import type { Gateways } from '../gateways/gateways.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { decideCapture } from '../payments/outcome/decide-outcome.js'
import { changeDecided } from '../payments/outcome/persist-decision.js'
import { businessDayFor } from '../payments/pending/today.js'
import { refundedPaymentOf } from '../payments/refund/fail-refund.js'
import { bookRefundMade, refundPayment } from '../payments/refund/refund-payment.js'
import { captureRefusal, partCaptured } from '../payments/take/capture-payment.js'
import { reversePartialApproval } from './reverse-partial-approval.js'

/**
 * Sends a refund that failed late once more. The exception stays open until the gateway has approved the new refund.
 */
export async function retryRefund(
  work: Work,
  gateways: Gateways,
  row: ExceptionRow,
  reason: string | null,
): Promise<ExceptionRow> {
  const failed = await subjectOf(work, row)
  if (failed.type === 'payment')
    return await reversePartialApproval(work, await connectionOf(work, gateways, row), row, reason)
  const payment = await paymentOf(work, failed)
  const amount = row.amount ?? 0
  const refund = await refundPayment(work, gateways, { type: 'refund', amount }, payment.id)
  if (refund.status === 'processed') return await closeException(work, row, { resolution: 'retry', reason })
  return await work.change(resources.exception, row.id, {
    reason,
    pending_operation: pendingRetry(refund.id),
  })
}

/**
 * Records that the merchant paid the payer in another way after a refund failed late. A voided payment has no refund to
 * record.
 */
export async function recordPaidOtherwise(work: Work, row: ExceptionRow): Promise<void> {
  const failed = await subjectOf(work, row)
  if (failed.type === 'payment') return
  const payment = await paymentOf(work, failed)
  await bookRefundMade(work, payment, { amount: row.amount ?? 0, gatewayId: null, gateway: null })
}

/** Books the part of a payment that was captured at the gateway, and not by payctl; the rest is released. */
export async function capturePart(work: Work, row: ExceptionRow): Promise<void> {
  const { id } = await subjectOf(work, row)
  const payment = await work.lock(resources.transaction, id)
  if (!payment) throw invalidAttributes({ resolution: `The payment ${id} is gone` })
  const refusal = captureRefusal(storedTransaction(payment))
  if (refusal) throw refusal
  const part = await partCaptured(work, payment, row.amount ?? 0)
  const today = await businessDayFor(work, payment)
  await changeDecided(work, payment, decideCapture(storedTransaction(payment), today, part))
}

/** The connection to the gateway of an exception. Throws `ServiceUnavailable` when it is gone, or paused. */
export async function connectionOf(
  work: Work,
  gateways: Gateways,
  row: ExceptionRow,
): Promise<RemoteGateway> {
  const gateway = await gateways.of(work, row)
  if (gateway.kind === 'remote') return gateway
  throw new ApiError('ServiceUnavailable', `The gateway ${row.gateway} is not connected any more`)
}

async function subjectOf(work: Work, { id, transaction_id: of }: ExceptionRow): Promise<TransactionRow> {
  const transaction = of === null ? undefined : await work.find(resources.transaction, of)
  if (!transaction) throw new Error(`The transaction of ${id} is gone`)
  return transaction
}

async function paymentOf(work: Work, refund: TransactionRow): Promise<TransactionRow> {
  const id = await refundedPaymentOf(work, refund)
  const payment = id === undefined ? undefined : await work.find(resources.transaction, id)
  if (!payment) throw invalidAttributes({ resolution: `${refund.id} is no refund of a payment` })
  return payment
}
