import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { dateOf } from '../../schema/datetime.js'
import { type Decision, nothing } from '../ledger/decision.js'
import { storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { clawBack } from './clawback.js'
import { type Answer, decideDecline, isApproved } from './decide-outcome.js'
import { changeDecided } from './persist-decision.js'
import { decideRefund, refundable, releasedPayment, settledPayment } from './refund.js'

/** Records the outcome of a refund whose balance was reserved on its payment. */
export async function recordRefund(
  work: Work,
  refund: TransactionRow,
  paymentId: string,
  answer: Answer,
): Promise<void> {
  const payment = await work.lock('transaction', paymentId)
  if (!payment) throw new Error(`The payment ${paymentId} of refund ${refund.id} is gone`)
  const stored = storedTransaction(payment)
  await changeDecided(
    work,
    refund,
    refundDecision(stored, storedTransaction(refund), answer, dateOf(work.now)),
  )
  await settleParent(work, stored, refund.amount ?? 0, answer)
}

/** What the gateway's answer makes of the refund itself. */
export function refundDecision(
  payment: Transaction,
  refund: Pick<Transaction, 'id' | 'amount'>,
  answer: Answer,
  today: string,
): Decision {
  if (isApproved(answer)) return decideRefund(payment, refund, today)
  return decideDecline(answer === 'never_seen' ? 'never_sent' : answer.statusCode)
}

/**
 * Settles or gives back what the refund had reserved; money that was deposited is clawed back. A partial refund that
 * settles at once and concerns no invoice leaves nothing else to write.
 */
export async function settleParent(
  work: Work,
  payment: Transaction,
  amount: number,
  answer: Answer,
): Promise<void> {
  if (isApproved(answer) && payment.fundingStatus === 'batched') await clawBack(work, payment.id)
  const changes = isApproved(answer) ? settledPayment(payment) : releasedPayment(payment, amount)
  const isSettled = changes.funding_status === undefined && changes.refunded === undefined
  if (isSettled && payment.pendingOperation === null && payment.allocated <= refundable(payment)) return
  const row = await work.find('transaction', payment.id)
  if (row) await changeDecided(work, row, { ...nothing, changes })
}
