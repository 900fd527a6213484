import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { busy } from '../ledger/refusals.js'
import type { Transaction } from '../ledger/stored-transaction.js'
import { type Claim, changePayment } from './change-payment.js'
import { cannotChange } from './status.js'

/** Captures an authorized payment, in full. Money: "transaction.status". */
export async function capturePayment(work: Work, gateway: Gateway, id: string): Promise<TransactionRow> {
  const claim = claimCapture
  return await changePayment(work, gateway, id, { kind: 'capture', claim, refusal: captureRefusal })
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

const claimCapture = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set({ open_operation: param('open'), modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'authorized')
    .where('open_operation', 'is', null)
    .where('risk_flag', '<>', 'in_review'),
)
