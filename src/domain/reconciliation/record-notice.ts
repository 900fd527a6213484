import { ApiError, firstProblem } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type {
  DisputeState,
  FoundOperation,
  GatewayNotice,
  MoneyTakenBack,
  RemoteGateway,
} from '../../gateways/contract.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney } from '../../schema/money.js'
import { recordChargeback } from '../disputes/record-chargeback.js'
import { recordDisputeWon } from '../disputes/record-dispute-won.js'
import { recordDisputeState } from '../disputes/record-stage.js'
import { raiseException } from '../exceptions/raise-exception.js'
import { openCatchUp } from '../gateways/catching-up.js'
import { busy, storedTransaction } from '../ledger/stored-transaction.js'
import { askAfterCommit } from '../payments/outcome/ask-gateway.js'
import { recordOutcome } from '../payments/outcome/record-outcome.js'
import { isAwaitingPayer } from '../payments/pending/awaited-payer.js'
import { readPending, referenceOf } from '../payments/pending/pending-operation.js'
import { failPayout } from '../settlements/fail-payout.js'
import {
  isTakenBy,
  recordFailedPayout,
  recordGatewaySideChange,
  recordLateRefund,
} from './gateway-side-change.js'
import { reversePartialApproval } from './reverse-partial-approval.js'

/**
 * Records a gateway's notice in the books or among the exceptions. A repetition has no effect. Throws `Conflict`
 * while an operation on the payment is pending: the notice is recorded afterwards.
 */
export async function recordNotice(work: Work, gateway: RemoteGateway, notice: GatewayNotice): Promise<void> {
  if (notice.kind === 'operation') await recordOperation(work, gateway, notice)
  else if (notice.kind === 'dispute') await recordState(work, gateway.name, notice)
  else if (notice.kind === 'payout_failed') await failPayout(work, gateway.name, notice)
  else await recordTakenBack(work, gateway.name, notice)
}

/**
 * Records the stage of a dispute. Ignores a dispute of an unknown payment: the notice about its money opens the
 * reconciliation exception.
 */
async function recordState(work: Work, gateway: string, state: DisputeState): Promise<void> {
  const payment = await paymentNamed(work, gateway, state)
  if (payment) await recordDisputeState(work, payment, state)
}

/** Records money that the payer's bank took or returned. See docs/money.md, "Disputes and returns". */
async function recordTakenBack(
  work: Work,
  gateway: string,
  notice: MoneyTakenBack,
): Promise<TransactionRow | undefined> {
  const { kind, dispute, amount, statusCode, inquiry } = notice
  const payment = await paymentNamed(work, gateway, notice)
  const direction = kind === 'dispute_won' ? ('paid' as const) : ('taken' as const)
  const happened = `The gateway reports a ${kind} (${statusCode}) of ${formatMoney(amount)}, ${dispute}, for the payment ${notice.payment}`
  const found = { gateway, gatewayId: dispute, amount, direction, happened, notice: JSON.stringify(notice) }
  // Returned money is never booked as a loss.
  const resolutions = kind === 'dispute_won' ? (['link', 'ignore'] as const) : undefined
  if (!payment) {
    // Without our reference, the payment was made by another system at the same account. Its money is in the foreign
    // line of a settlement.
    if (notice.hasReference === false) return undefined
    if (!(await isRouted(work, gateway, notice.merchant))) return undefined
    const explanation = `The payment ${notice.payment} is not here`
    await raiseException(work, {
      ...found,
      kind: 'unknown_payment',
      about: `${kind} ${gateway} ${dispute}`,
      explanation,
      ...(resolutions && { resolutions }),
    })
    return undefined
  }
  try {
    return kind === 'dispute_won'
      ? await recordDisputeWon(work, payment.id, dispute)
      : await recordChargeback(work, { paymentId: payment.id, dispute, amount, statusCode, inquiry })
  } catch (error) {
    if (!(error instanceof ApiError) || error.type === 'Conflict') throw error
    const explanation = `It does not fit this payment: ${firstProblem(error)}`
    await raiseException(work, {
      ...found,
      kind: 'dispute_unexpected',
      about: `${kind} ${gateway} ${dispute}`,
      transaction: payment,
      explanation,
      ...(resolutions && { resolutions }),
    })
    return undefined
  }
}

/**
 * Records an operation that the gateway reports. The notice may be the outcome of a pending operation, or the late
 * approval of an operation that payctl no longer pursues.
 */
async function recordOperation(work: Work, gateway: RemoteGateway, notice: FoundOperation): Promise<void> {
  const { reference, type, amount, outcome, state, merchant } = notice
  const row = reference === undefined ? undefined : await work.lock(resources.transaction, reference)
  if (!row || !isTakenBy(row, gateway.name, merchant)) return await recordLateRefund(work, gateway, notice)
  if (row.pending_operation !== null) return await recordOpen(work, gateway, row, notice)
  const isApproved = typeof outcome === 'object' && outcome.result === 'approved'
  if (row.status !== 'declined') {
    if (isOfAnother(row, notice)) return
    await recordFailedPayout(work, row, notice)
    return await recordGatewaySideChange(work, row, notice)
  }
  // Any other approval after a decline is reversed; a partial approval is voided already, or an exception.
  if (!isApproved || state === 'voided' || row.status_code === 'partial_approval') return
  const approved = { ...row, gateway_id: outcome.gatewayId ?? row.gateway_id }
  await reverseApproval(work, gateway, approved, type, amount)
}

/** Whether a notice has our reference but another gateway id than the payment: it is about another payment. */
function isOfAnother({ type, gateway_id: id }: TransactionRow, { outcome }: FoundOperation): boolean {
  if (type !== 'payment' || typeof outcome !== 'object' || !('gatewayId' in outcome)) return false
  return id !== null && (outcome.gatewayId ?? id) !== id
}

/**
 * Records the outcome of a pending operation. The payment may have been captured or voided since its approval. While
 * another operation is pending, the notice has to wait, as the gateway's action may follow from that operation.
 */
async function recordOpen(
  work: Work,
  gateway: RemoteGateway,
  row: TransactionRow,
  notice: FoundOperation,
): Promise<void> {
  const { id, pending_operation: operation } = row
  const { reference, outcome, state } = notice
  const open = referenceOf(readPending(operation ?? ''), id)
  // A payment whose refund is pending has no outcome of its own to record.
  if (typeof outcome === 'string' || open === undefined) return
  if (open !== reference) throw busy(storedTransaction(row))
  // The payer could still complete the payment: it is cancelled at the gateway before it is declined here.
  const isDeclined = outcome.result === 'declined' && state !== 'voided'
  if (isDeclined && isAwaitingPayer(row)) return
  const { partlyApproved } = await recordOutcome(work, id, { reference: id }, outcome)
  if (partlyApproved && !(await openCatchUp(work))) askAfterCommit(work, gateway, partlyApproved, id)
  const decided = await work.refresh(resources.transaction, id)
  if (decided.pending_operation === null && decided.status !== 'declined')
    await recordGatewaySideChange(work, decided, notice)
}

/**
 * Voids a payment at the gateway that was approved after payctl had given it up or declined it. A reconciliation
 * exception stays open until the gateway confirms the void, so that no money is forgotten. Other operations are not
 * voided, and get only the exception.
 */
async function reverseApproval(
  work: Work,
  gateway: RemoteGateway,
  row: TransactionRow,
  type: FoundOperation['type'],
  amount: number,
): Promise<void> {
  const isPayment = type === 'sale' || type === 'authorize'
  const ended = row.status_code === 'never_sent' ? 'given up' : `declined here (${row.status_code})`
  const raised = await raiseException(work, {
    kind: 'late_approval',
    about: `late approval of ${row.id}`,
    transaction: row,
    amount,
    direction: isPayment ? 'paid' : 'taken',
    happened: `The gateway has ${isPayment ? 'approved' : 'paid out'} ${formatMoney(amount)} as ${row.gateway_id ?? row.id}`,
    notice: JSON.stringify({ type, amount }),
    resolutions: isPayment ? ['refund', 'ignore'] : ['loss', 'ignore'],
    explanation: `This ${row.type} was ${ended} before`,
  })
  if (raised && isPayment && !(await openCatchUp(work)))
    await reversePartialApproval(work, gateway, raised, 'It was given back at the gateway')
}

/** The payment of a gateway that a notice names by our reference or by the gateway's id. */
async function paymentNamed(
  work: Work,
  gateway: string,
  { payment, merchant }: Pick<MoneyTakenBack, 'payment' | 'merchant'>,
): Promise<TransactionRow | undefined> {
  const own = await work.find(resources.transaction, payment)
  const named = own ? [own] : await work.findBy(resources.transaction, 'gateway_id', payment)
  return named.find((row) => isTakenBy(row, gateway, merchant))
}

/** Whether a route leads to a merchant of a gateway. A platform also reports merchants that payctl does not know. */
async function isRouted({ tx }: Work, gateway: string, merchant: string | undefined): Promise<boolean> {
  if (merchant === undefined) return true
  const [route] = await tx.db
    .selectFrom('gateway_routes as r')
    .innerJoin('admin_gateways as g', 'g.id', 'r.gateway_id')
    .select('r.id')
    .where('g.name', '=', gateway)
    .where('r.merchant', '=', merchant)
    .limit(1)
    .execute()
  return route !== undefined
}
