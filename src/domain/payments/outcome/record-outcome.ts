import type { ApiError } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { PaymentMethodRow, TransactionRow } from '../../../engine/store/database/tables.js'
import type { ApprovedOutcome, GatewayOperation } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { dropNumbers } from '../../accounts/payment-method-rule.js'
import { type NewException, raiseException } from '../../exceptions/raise-exception.js'
import { settleRetry } from '../../exceptions/settle-retry.js'
import { noteMisconfigured } from '../../gateways/note-problem.js'
import { storedTransaction } from '../../ledger/stored-transaction.js'
import { judgeMethod } from '../parties/judge-method.js'
import { keepToken, noteMethod } from '../parties/stored-token.js'
import { AWAITED_NO_MORE, answerForAwaited, isAwaitingPayer, noteAction } from '../pending/awaited-payer.js'
import { type Answer, factsOf, refusalOf } from '../pending/gateway-answer.js'
import { chargedAmount, requestOnPayment } from '../pending/gateway-request.js'
import {
  type PendingOperation,
  readPending,
  referenceOf,
  writePending,
} from '../pending/pending-operation.js'
import { businessDayFor } from '../pending/today.js'
import { enteredOf, writeClawback } from './clawback.js'
import { decideDecline, decideOutcome, isNew, type OutcomeDecision } from './decide-outcome.js'
import { decideRefundOutcome, type RefundDecision } from './decide-refund.js'
import { raisePartlyCaptured } from './partly-captured.js'
import { changeDecided } from './persist-decision.js'

/** Consequences that the caller must handle, besides the written rows. */
export interface RecordedOutcome {
  /** Error for the client's request, if the gateway did not execute the operation. */
  readonly refusal?: ApiError | undefined
  /** The void of a partial approval, which must be sent to the gateway now. */
  readonly partlyApproved?: GatewayOperation
  /** The payer has to authenticate and cannot: the payment must be cancelled at the gateway now. */
  readonly mustCancel?: boolean
}

/**
 * Records the gateway's answer about a pending operation. An answer that is recorded already, or that belongs to an
 * earlier attempt, has no effect. `decide-outcome.ts` and `decide-refund.ts` decide the changes for each answer.
 */
export async function recordOutcome(
  work: Work,
  id: string,
  { reference }: Pick<GatewayOperation, 'reference'>,
  found: Answer,
): Promise<RecordedOutcome> {
  const row = await work.lock(resources.transaction, id)
  const pending = row?.pending_operation ? readPending(row.pending_operation) : undefined
  if (!row || !pending || referenceOf(pending, id) !== reference) return {}
  const answer = answerForAwaited(row, found)
  const undecided = await recordUndecided(work, row, pending, answer)
  if (undecided) return undecided
  if (answer !== 'never_seen' && answer.result === 'misconfigured')
    await noteMisconfigured(work, row.gateway, answer)
  switch (pending.kind) {
    case 'refunding':
      return {}
    case 'refund':
      return await recordRefund(work, row, pending, answer)
    case 'undo':
      return await recordUndone(work, row, answer)
    default: {
      if (isNew(pending) && isPartial(row, answer)) return await reversePartialApproval(work, row, answer)
      const today = await businessDayFor(work, row)
      const decision = decideOutcome(storedTransaction(row), pending, answer, today)
      const decided = await changeDecided(work, row, decision)
      await raiseDiffering(work, decided, decision, answer)
      await settleMethod(work, decided, answer)
      if (isNew(pending)) await judgeMethod(work, decided, answer)
      return { refusal: decision.refusal }
    }
  }
}

/** Records an answer that leaves the outcome open; undefined for any other answer. */
async function recordUndecided(
  work: Work,
  row: TransactionRow,
  pending: PendingOperation,
  answer: Answer,
): Promise<RecordedOutcome | undefined> {
  if (answer === 'never_seen') return undefined
  if (answer.result === 'pending') return await notePending(work, row, pending, answer)
  if (answer.result === 'action' && row.type === 'payment' && isNew(pending))
    return { mustCancel: await noteAction(work, row, answer) }
  return undefined
}

/** Records the gateway's id of an operation that it has accepted without a result so far. */
async function notePending(
  work: Work,
  row: TransactionRow,
  pending: PendingOperation,
  answer: Answer,
): Promise<RecordedOutcome> {
  const isOwn = pending.kind === 'refund' || (pending.kind !== 'refunding' && isNew(pending))
  if (isOwn)
    await work.change(resources.transaction, row.id, {
      ...factsOf(answer),
      ...(isAwaitingPayer(row) && AWAITED_NO_MORE),
    })
  return {}
}

function isPartial(row: TransactionRow, answer: Answer): answer is ApprovedOutcome {
  return answer !== 'never_seen' && answer.result === 'approved' && answer.amount < chargedAmount(row)
}

/** Voids a partial approval, which no client requested, at the gateway; the payment is declined afterwards. */
async function reversePartialApproval(
  work: Work,
  row: TransactionRow,
  answer: ApprovedOutcome,
): Promise<RecordedOutcome> {
  const reference = work.newId('op_')
  const changed = await work.change(resources.transaction, row.id, {
    ...factsOf(answer),
    approved_amount: answer.amount,
    pending_operation: writePending({ kind: 'undo', reference }),
  })
  return { partlyApproved: requestOnPayment('void', reference, changed, answer.amount) }
}

/** Records the outcome of the void of a partial approval. Reconciliation sends the void again if it did not arrive. */
async function recordUndone(work: Work, row: TransactionRow, answer: Answer): Promise<RecordedOutcome> {
  if (answer === 'never_seen' || answer.result === 'not_sent' || answer.result === 'misconfigured') return {}
  const declined = await changeDecided(work, row, decideDecline('partial_approval'))
  if (answer.result !== 'approved') await raiseException(work, notGivenBack(row))
  await settleMethod(work, declined, 'never_seen')
  return {}
}

async function recordRefund(
  work: Work,
  row: TransactionRow,
  { payment: paymentId, sending }: Extract<PendingOperation, { kind: 'refund' }>,
  answer: Answer,
): Promise<RecordedOutcome> {
  const paymentRow = await work.lock(resources.transaction, paymentId)
  if (!paymentRow) throw new Error(`The payment ${paymentId} of refund ${row.id} is gone`)
  // A refund that waited for settlement waits again if the gateway was not reached: its client was answered before.
  if (isTooEarly(answer) || (sending !== undefined && refusalOf(answer))) {
    await work.change(resources.transaction, row.id, {
      pending_operation: writePending({ kind: 'refund', payment: paymentId, isUnsent: true }),
    })
    return {}
  }
  const payment = storedTransaction(paymentRow)
  const entered = await enteredBefore(work, paymentRow)
  const reserved = { payment, entered, refund: storedTransaction(row) }
  const { date } = await businessDayFor(work, paymentRow)
  const decision = decideRefundOutcome(reserved, answer, date)
  await changeDecided(work, row, decision.refund)
  await settleRefunded(work, paymentRow, decision)
  await settleRetry(work, row.id, answer !== 'never_seen' && answer.result === 'approved')
  return { refusal: refusalOf(answer) }
}

/** Whether the gateway refused a refund only because its payment is not settled yet. */
function isTooEarly(answer: Answer): boolean {
  return answer !== 'never_seen' && answer.result === 'declined' && answer.statusCode === 'not_settled'
}

/**
 * Sum of a payment's ledger entries, if it may have been deposited; otherwise undefined. Only a deposited amount is
 * clawed back.
 */
export async function enteredBefore(work: Work, payment: TransactionRow): Promise<Minor | undefined> {
  const { funding_status: funding } = payment
  return funding === 'batched' || funding === 'reversed' ? await enteredOf(work, payment.id) : undefined
}

/** Writes the changes of a refund's decision, except those of the refund itself. */
export async function settleRefunded(
  work: Work,
  payment: TransactionRow,
  decision: RefundDecision,
): Promise<void> {
  if (decision.clawback > 0) await writeClawback(work, payment, decision.clawback)
  if (decision.payment) await changeDecided(work, payment, decision.payment)
}

/** Stores the method's token from the answer, and drops numbers that may be used only once. */
async function settleMethod(work: Work, row: TransactionRow, answer: Answer): Promise<void> {
  const method = row.payment_method_id && (await work.find(resources.payment_method, row.payment_method_id))
  if (!method) return
  if (answer !== 'never_seen' && answer.result === 'approved') {
    if (answer.method) await noteMethod(work, row, method, answer.method)
    await keepToken(work, row, method, answer)
  }
  await forgetUsedOnce(work, method)
}

/**
 * Drops the numbers and the token of a method that is used once, when its payment is decided. See docs/interface.md,
 * "Sensitive data".
 */
export async function forgetUsedOnce(work: Work, method: PaymentMethodRow): Promise<void> {
  if (method.keep_active !== 0) return
  await dropNumbers(work, method)
  if (method.sealed_token !== null)
    await work.change(resources.payment_method, method.id, {
      token_gateway: null,
      token_merchant: null,
      sealed_token: null,
    })
}

/** Opens a reconciliation exception if the gateway has executed the operation with another amount. */
async function raiseDiffering(
  work: Work,
  row: TransactionRow,
  { differs, partlyCaptured }: OutcomeDecision,
  answer: Answer,
): Promise<void> {
  if (differs) await raiseException(work, differing(row, answer))
  if (partlyCaptured !== undefined) await raisePartlyCaptured(work, row, partlyCaptured)
}

function differing(row: TransactionRow, answer: Answer): NewException {
  const approved = answer !== 'never_seen' && answer.result === 'approved' ? answer.amount : 0
  const expected = chargedAmount(row)
  return {
    kind: 'amount_differs',
    about: `amount of ${row.id}`,
    transaction: row,
    amount: Math.abs(approved - expected),
    direction: approved > expected ? 'paid' : 'taken',
    happened: `The gateway has approved ${formatMoney(approved)} (${row.gateway_id})`,
    resolutions: approved > expected ? ['refund', 'ignore'] : ['loss', 'ignore'],
    explanation: `The gateway has approved ${formatMoney(approved)}, and was asked for ${formatMoney(expected)}`,
  }
}

function notGivenBack(row: TransactionRow): NewException {
  return {
    kind: 'partial_approval',
    about: `part of ${row.id}`,
    transaction: row,
    amount: row.approved_amount,
    direction: 'paid',
    happened: `The gateway has approved ${formatMoney(row.approved_amount ?? 0)} (${row.gateway_id}), and does not void it`,
    explanation: `The gateway has approved ${formatMoney(row.approved_amount ?? 0)} of ${formatMoney(chargedAmount(row))}, and does not void that: the payer is charged, and the payment is declined`,
  }
}
