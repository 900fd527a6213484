import type { Decision } from '../ledger/decision.js'
import { paymentPostings, payoutPostings } from '../ledger/postings.js'
import type { Transaction } from '../ledger/stored.js'
import type { Today } from './today.js'

/** What an approved payment, blind refund or credit amounts to; a payment becomes what was asked for. */
export function decideApproval(transaction: Transaction, { date, cutOffAt }: Today): Decision {
  const { type, amount, convFee, fee, accruedFee: accrued } = transaction
  const isHeld = transaction.riskFlag === 'in_review'
  const payment = transaction.isAutomatic
    ? (['automatic_payment', 'payment'] as const)
    : (['payment'] as const)
  const authorizes = type === 'payment' && (isHeld || transaction.askedStatus === 'authorized')
  const approved = { status_code: 'approved', funding_status: 'pending', open_operation: null } as const
  if (authorizes) {
    return {
      changes: { ...approved, status: 'authorized' },
      entries: [],
      postings: [],
      events: [...payment, 'authorized'],
    }
  }
  return {
    changes: {
      ...approved,
      status: 'processed',
      processed_date: date,
      awaiting: 'cut_off',
      due_at: cutOffAt,
    },
    entries: [],
    postings:
      type === 'payment' ? paymentPostings(amount, { convFee, fee, accrued }) : payoutPostings(amount),
    events: type === 'payment' ? [...payment, 'processed'] : [type === 'credit' ? 'credit' : 'refund'],
  }
}
