import { type ApiError, invalidAttributes } from '../../engine/core/request/errors.js'
import type { Decision } from '../ledger/decision.js'
import { paymentPostings } from '../ledger/postings.js'
import { busy } from '../ledger/refusals.js'
import type { Transaction } from '../ledger/stored.js'
import { cannotChange } from './status.js'
import type { Today } from './today.js'

/** Why a payment cannot be captured now; nothing when it can. Money: "transaction.status". */
export function captureRefusal(payment: Transaction): ApiError | undefined {
  if (payment.openOperation !== null) return busy(payment)
  if (payment.status !== 'authorized')
    return invalidAttributes({ status: cannotChange(payment.status, 'processed') })
  if (payment.riskFlag === 'in_review') {
    return invalidAttributes({ status: `${cannotChange('authorized', 'processed')}: it is held for review` })
  }
  return undefined
}

/** What an approved capture, always of the full amount, changes. `today` is the day of the capture. */
export function decideCapture(payment: Transaction, { date, cutOffAt }: Today): Decision {
  const { convFee, fee, accruedFee: accrued } = payment
  return {
    changes: {
      status: 'processed',
      status_code: 'approved',
      processed_date: date,
      awaiting: 'cut_off',
      due_at: cutOffAt,
      open_operation: null,
    },
    entries: [],
    postings: paymentPostings(payment.amount, { convFee, fee, accrued }),
    events: ['processed'],
  }
}
