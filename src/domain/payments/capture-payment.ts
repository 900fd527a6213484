import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { busy, type Transaction } from '../ledger/stored-transaction.js'
import { type Claim, performClaimed } from './perform-claimed.js'
import { cannotChange } from './transaction-status.js'

/** Captures an authorized payment, in full. Throws when its state does not allow it. Money: "transaction.status". */
export async function capturePayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  const operation = { kind: 'capture', claim: claimCapture, refusal: captureRefusal } as const
  return await performClaimed(work, gateway, id, operation)
}

/** Reason why a payment cannot be captured now; undefined if it can. Money: "transaction.status". */
export function captureRefusal(payment: Transaction): ApiError | undefined {
  if (payment.pendingOperation !== null) return busy(payment)
  if (payment.status !== 'authorized')
    return invalidAttributes({ status: cannotChange(payment.status, 'processed') })
  if (payment.riskFlag === 'in_review' || payment.riskFlag === 'denied') {
    const reason = payment.riskFlag === 'denied' ? 'it was denied' : 'it is held for review'
    return invalidAttributes({ status: `${cannotChange('authorized', 'processed')}: ${reason}` })
  }
  return undefined
}

const claimCapture = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ pending_operation: param('pending'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'authorized')
    .where('pending_operation', 'is', null)
    .where('risk_flag', 'not in', ['in_review', 'denied']),
)
