import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Decision } from '../ledger/decision.js'
import { paymentPostings, reversed } from '../ledger/postings.js'
import { busy } from '../ledger/refusals.js'
import type { Transaction } from '../ledger/stored.js'
import { cannotChange } from './status.js'

/** Why a transaction cannot be voided now; nothing when it can. Money: "transaction.status". */
export function voidRefusal(payment: Transaction): ApiError | undefined {
  if (payment.type !== 'payment') return refuse(payment, 'only a payment is voided')
  if (payment.openOperation !== null) return busy(payment)
  if (payment.status === 'authorized') return undefined
  if (payment.status !== 'processed')
    return invalidAttributes({ status: cannotChange(payment.status, 'voided') })
  if (payment.refunded > 0) return refuse(payment, 'it is partly or wholly refunded')
  if (payment.chargedBack > 0) return refuse(payment, 'it is charged back')
  if (payment.fundingStatus !== 'pending') return refuse(payment, 'it has settled, refund it instead')
  return undefined
}

/** What a void changes: the payer's convenience fee is given back and the merchant pays no fee. */
export function decideVoid(payment: Transaction): Decision {
  const { convFee, fee, accruedFee: accrued } = payment
  const taken =
    payment.status === 'processed' ? paymentPostings(payment.amount, { convFee, fee, accrued }) : []
  return {
    changes: {
      status: 'voided',
      status_code: 'voided',
      conv_fee: 0,
      fee: 0,
      accrued_fee: 0,
      awaiting: null,
      due_at: null,
      open_operation: null,
    },
    entries: [],
    postings: reversed(taken),
    events: ['void'],
  }
}

function refuse({ status }: Transaction, reason: string): ApiError {
  return invalidAttributes({ status: `${cannotChange(status, 'voided')}: ${reason}` })
}
