import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { busy, storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { askAfterCommit, requestOnPayment } from './ask-gateway.js'
import { decideOutcome } from './decide-outcome.js'
import { type Claim, writePending } from './pending-operation.js'
import { changeDecided } from './persist-decision.js'
import { cannotChange } from './status.js'
import { businessDayFor } from './today.js'

/**
 * Captures an authorized payment, in full: claim it, ask the gateway, decide, record. Throws when its state does not
 * allow it, or another operation on it has no outcome. Money: "transaction.status".
 */
export async function capturePayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  const operation = { kind: 'capture', reference: work.newId('op_') } as const
  const claimed = await work.tx.change(claimCapture, { id, pending: writePending(operation), now: work.now })
  const row = await work.refresh('transaction', id)
  const payment = storedTransaction(row)
  if (claimed === 0) throw captureRefusal(payment) ?? busy(payment)

  const request = requestOnPayment(
    operation.kind,
    operation.reference,
    payment,
    payment.amount + payment.convFee,
  )
  if (gateway.kind === 'remote') {
    askAfterCommit(work, gateway, request, id)
    return row
  }
  const outcome = gateway.perform(request)
  const decision = decideOutcome(payment, operation, outcome, await businessDayFor(work, row))
  return await changeDecided(work, row, decision)
}

/** Why a payment cannot be captured now; nothing when it can. Money: "transaction.status". */
export function captureRefusal(payment: Transaction): ApiError | undefined {
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status !== 'authorized')
    return invalidAttributes({ status: cannotChange(payment.status, 'processed') })
  if (payment.riskFlag === 'in_review') {
    return invalidAttributes({ status: `${cannotChange('authorized', 'processed')}: it is held for review` })
  }
  return undefined
}

/** Of two operations that arrive at once, one has the payment: the statement decides, not a read before it. */
const claimCapture = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ open_operation: param('pending'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'authorized')
    .where('open_operation', 'is', null)
    .where('risk_flag', '<>', 'in_review'),
)
