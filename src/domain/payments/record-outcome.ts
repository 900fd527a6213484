import type { Work } from '../../engine/core/write/work.js'
import type { PaymentMethodRow, TransactionRow } from '../../engine/store/database/tables.js'
import type { Minor } from '../../schema/money.js'
import { dropNumbers } from '../accounts/payment-method.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { enteredOf, writeClawback } from './clawback.js'
import { type Answer, decideOutcome, decideRefundOutcome, type RefundDecision } from './decide-outcome.js'
import { readPending, referenceOf } from './pending-operation.js'
import { changeDecided } from './persist-decision.js'
import { businessDayFor } from './today.js'

/**
 * Records the outcome of an operation whose intent was committed before. An answer that was recorded already, or
 * that belongs to an earlier attempt, changes nothing.
 */
export async function recordOutcome(
  work: Work,
  id: string,
  reference: string,
  answer: Answer,
): Promise<void> {
  const row = await work.lock('transaction', id)
  const pending = row?.open_operation ? readPending(row.open_operation) : undefined
  if (!row || !pending || referenceOf(pending, id) !== reference) return
  if (pending.kind === 'refunding') return
  if (pending.kind === 'refund') return await recordRefund(work, row, pending.payment, answer)
  const today = await businessDayFor(work, row)
  await changeDecided(work, row, decideOutcome(storedTransaction(row), pending, answer, today))
  const method = row.payment_method_id && (await work.find('payment_method', row.payment_method_id))
  if (method) await forgetUsedOnce(work, method)
}

async function recordRefund(
  work: Work,
  row: TransactionRow,
  paymentId: string,
  answer: Answer,
): Promise<void> {
  const paymentRow = await work.lock('transaction', paymentId)
  if (!paymentRow) throw new Error(`The payment ${paymentId} of refund ${row.id} is gone`)
  const payment = storedTransaction(paymentRow)
  const entered = await enteredBefore(work, paymentRow)
  const reserved = { payment, entered, refund: storedTransaction(row) }
  const { date } = await businessDayFor(work, paymentRow)
  const decision = decideRefundOutcome(reserved, answer, date)
  await changeDecided(work, row, decision.refund)
  await settleRefunded(work, paymentRow, decision)
}

/** What a refund's decision needs of the ledger: only what was deposited may be clawed back. */
export async function enteredBefore(work: Work, payment: TransactionRow): Promise<Minor | undefined> {
  return payment.funding_status === 'batched' ? await enteredOf(work, payment.id) : undefined
}

/** Writes what a refund's decision changes besides the refund itself. */
export async function settleRefunded(
  work: Work,
  payment: TransactionRow,
  decision: RefundDecision,
): Promise<void> {
  if (decision.clawback > 0) await writeClawback(work, payment, decision.clawback)
  if (decision.payment) await changeDecided(work, payment, decision.payment)
}

/** Drops the numbers of a method that is used once, when its payment is decided. Decisions: "Sensitive data". */
export async function forgetUsedOnce(work: Work, method: PaymentMethodRow): Promise<void> {
  if (method.keep_active === 0) await dropNumbers(work, method)
}
