import { sql } from 'kysely'
import { type ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type { GatewayOutcome } from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { NOT_FOUND } from '../../../schema/problem.js'
import { statusMessage } from '../../../schema/status-codes.js'
import type { Gateways } from '../../gateways/gateways.js'
import { busy, refundable, storedTransaction, type Transaction } from '../../ledger/stored-transaction.js'
import { askAfterCommit } from '../outcome/ask-gateway.js'
import { decideRefundOutcome } from '../outcome/decide-refund.js'
import { insertDecided } from '../outcome/persist-decision.js'
import { enteredBefore, settleRefunded } from '../outcome/record-outcome.js'
import { newTransaction, partiesOf, type TransactionInput } from '../parties/new-transaction.js'
import { namedId, newRelated, readerOf } from '../parties/related-objects.js'
import { requestOnPayment } from '../pending/gateway-request.js'
import { writePending } from '../pending/pending-operation.js'
import { businessDayFor } from '../pending/today.js'

/**
 * Refunds a payment in full or in part: resolve, reserve its balance, call the gateway, decide, record. Throws
 * `InvalidAttributes`, or `Conflict` while another operation on the payment is pending. Spec: "Operations on specific
 * resources", Refund.
 */
export async function refundPayment(
  work: Work,
  gateways: Gateways,
  given: TransactionInput,
  paymentId: string,
): Promise<TransactionRow> {
  const payment = await work.find(resources.transaction, paymentId)
  if (!payment) throw invalidAttributes({ ledger: { 0: { assoc_transaction_id: NOT_FOUND } } })
  const gateway = await gateways.of(work, payment)
  refuseOtherParties(given, payment)
  const amount = given.amount ?? 0
  const isPart = amount < (payment.amount ?? 0)
  if (isPart && gateway.kind === 'remote' && !gateway.capabilities.partialRefund)
    throw invalidAttributes({ amount: `Must be the whole payment: ${gateway.name} refunds no part` })
  const requested: TransactionRow = {
    ...newTransaction(work, { ...given, amount }),
    type: 'refund',
    reader_id: await readerOf(work, given, payment.processing_id),
    status: 'processing',
    status_message: statusMessage(null),
    pending_operation: writePending({ kind: 'refund', payment: paymentId }),
    gateway: gateway.name,
    gateway_merchant: payment.gateway_merchant,
  }

  const isRemote = gateway.kind === 'remote'
  const pending = isRemote ? writePending({ kind: 'refunding', refund: requested.id }) : null
  const claimed = await work.tx.change(reserve, { id: paymentId, amount, pending, now: work.now })
  const parentRow = await work.refresh(resources.transaction, paymentId)
  const parent = storedTransaction(parentRow)
  if (claimed === 0) throw refundRefusal(parent, amount) ?? busy(parent)
  // The customer may have been set since the payment was read.
  const row = { ...requested, ...partiesOf(parentRow) }

  const request = requestOnPayment('refund', row.id, parentRow, amount, row)
  if (isRemote) {
    const isEarly = parent.fundingStatus === 'pending' && !gateway.capabilities.refundBeforeSettlement
    if (isEarly) return await insertUnsent(work, row, paymentId)
    await work.insert(resources.transaction, row)
    askAfterCommit(work, gateway, request, row.id)
    return row
  }
  return await insertRefund(work, row, parentRow, gateway.perform(request))
}

/** A refund that payctl did not request. */
interface RefundMade {
  readonly amount: Minor
  /** The gateway's id of the refund. */
  readonly gatewayId: string | null
  /** By default that of the payment; null for a refund that no gateway made. */
  readonly gateway?: string | null
}

/**
 * Books a refund that the gateway reports and no client requested. Throws `InvalidAttributes` when it exceeds the
 * remaining amount of the payment, or `Conflict` while another operation on the payment is pending.
 */
export async function bookRefundMade(
  work: Work,
  payment: TransactionRow,
  { amount, gatewayId, gateway = payment.gateway }: RefundMade,
): Promise<TransactionRow> {
  const booked: TransactionRow = {
    ...newTransaction(work, { amount }),
    type: 'refund',
    status: 'processing',
    status_message: statusMessage(null),
    gateway,
    gateway_merchant: payment.gateway_merchant,
  }
  const claimed = await work.tx.change(reserve, { id: payment.id, amount, pending: null, now: work.now })
  const parentRow = await work.refresh(resources.transaction, payment.id)
  const parent = storedTransaction(parentRow)
  if (claimed === 0) throw refundRefusal(parent, amount) ?? busy(parent)
  const row = { ...booked, ...partiesOf(parentRow) }
  return await insertRefund(work, row, parentRow, { result: 'approved', amount, gatewayId })
}

/** Writes a refund whose amount is reserved and whose outcome is known, and the changes of its payment. */
async function insertRefund(
  work: Work,
  row: TransactionRow,
  payment: TransactionRow,
  outcome: GatewayOutcome,
): Promise<TransactionRow> {
  const reserved = {
    payment: storedTransaction(payment),
    entered: await enteredBefore(work, payment),
    refund: { id: row.id, amount: row.amount ?? 0 },
  }
  const { date } = await businessDayFor(work, payment)
  const decision = decideRefundOutcome(reserved, outcome, date)
  const refund = await insertDecided(work, row, decision.refund)
  await settleRefunded(work, payment, decision)
  return refund
}

/** Writes a refund that is sent later: the gateway accepts it only after the payment is settled. */
async function insertUnsent(work: Work, row: TransactionRow, payment: string): Promise<TransactionRow> {
  const unsent = { ...row, pending_operation: writePending({ kind: 'refund', payment, isUnsent: true }) }
  await work.insert(resources.transaction, unsent)
  return unsent
}

/**
 * Reason why a refund of `requested` minor units does not fit a payment; undefined if it does. See docs/money.md,
 * "Refunds".
 */
export function refundRefusal(payment: Transaction, requested: Minor): ApiError | undefined {
  if (payment.type !== 'payment')
    return refuseParent(`Only a payment can be refunded, this is a ${payment.type}`)
  if (payment.status === 'authorized')
    return refuseParent('An authorized payment is not refunded: void it instead')
  if (payment.pendingOperation !== null) return busy(payment)
  const left = refundable(payment)
  // A charged-back payment (`rejected`) can be refunded again if one of its earlier refunds failed later.
  if (payment.status !== 'processed' && !(payment.status === 'rejected' && left > 0))
    return refuseParent(`Only a processed payment can be refunded, this is ${payment.status}`)
  if (requested > left)
    return invalidAttributes({ amount: `Exceeds refundable balance of ${formatMoney(left)}` })
  return undefined
}

function refuseParent(message: string): ApiError {
  return invalidAttributes({ ledger: { 0: { assoc_transaction_id: message } } })
}

/** The payment that a refund's ledger entry names; undefined for a blind refund. Throws `InvalidAttributes`. */
export function refundedPayment({ ledger, amount }: TransactionInput): string | undefined {
  const [entry, ...more] = ledger ?? []
  if (!entry) return undefined
  if (more.length > 0) throw invalidAttributes({ ledger: { 1: 'A refund has one payment' } })
  if (typeof entry.assoc_transaction_id !== 'string') {
    throw invalidAttributes({ ledger: { 0: { assoc_transaction_id: 'Required' } } })
  }
  if (typeof entry.amount === 'number' && Math.abs(entry.amount) !== amount) {
    throw invalidAttributes({ ledger: { 0: { amount: 'Must be the amount of the refund' } } })
  }
  return entry.assoc_transaction_id
}

/**
 * Refuses other parties than those of the payment: a refund returns money to its source. See docs/money.md, "Refunds",
 * rule 3.
 */
function refuseOtherParties(input: TransactionInput, payment: TransactionRow): void {
  for (const [name, attribute] of PARTIES) {
    const id = namedId(input, name, attribute)
    if (newRelated(input, name)) throw invalidAttributes({ [name]: "Must be the payment's" })
    if (id !== undefined && id !== payment[attribute]) {
      throw invalidAttributes({ [attribute]: "Must be the payment's" })
    }
  }
}

const PARTIES = [
  ['payment_method', 'payment_method_id'],
  ['processing', 'processing_id'],
  ['customer', 'customer_id'],
] as const

interface Reservation {
  id: string
  /** Minor units. */
  amount: number
  /** Value of the payment's `pending_operation` until the gateway answers. */
  pending: string | null
  now: string
}

/**
 * Reserves the balance, however many refunds arrive at the same time: the statement itself checks the remaining
 * amount.
 */
const reserve = prepared<Reservation, never>((db, param) =>
  db
    .updateTable('transactions')
    .set((eb) => ({
      refunded: eb('refunded', '+', param('amount')),
      pending_operation: param('pending'),
      modified_at: param('now'),
    }))
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', 'in', ['processed', 'rejected'])
    .where('pending_operation', 'is', null)
    .where(sql<boolean>`refunded + charged_back + ${param('amount')} <= amount`),
)
