import { sql } from 'kysely'
import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { dateOf } from '../../schema/datetime.js'
import { busy } from '../ledger/refusals.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { askAfterCommit } from './ask-gateway.js'
import { describedTransaction, type TransactionInput } from './described-transaction.js'
import { followingOperation } from './gateway-operation.js'
import { writePending } from './pending-operation.js'
import { insertDecided } from './persist-decision.js'
import { refundDecision, settleParent } from './record-refund.js'
import { refundRefusal } from './refund.js'
import { namedId, newRelated, readerOf } from './related-objects.js'
import { statusMessage } from './status-codes.js'
import { partiesOf } from './system-transaction.js'

/**
 * Refunds a payment in full or in part: resolve, reserve its balance, decide, ask the gateway, record. Throws
 * `InvalidAttributes`, or `Conflict` while another operation on the payment has no outcome. Spec: "Operations on
 * specific resources", Refund.
 */
export async function refundPayment(
  work: Work,
  gateway: Gateway,
  given: TransactionInput,
  paymentId: string,
): Promise<TransactionRow> {
  const payment = await work.find('transaction', paymentId)
  if (!payment) throw invalidAttributes({ ledger: { 0: { assoc_transaction_id: 'Not found' } } })
  refuseOtherParties(given, payment)
  const amount = given.amount ?? 0
  const row: TransactionRow = {
    ...describedTransaction(work, { ...given, amount }),
    ...partiesOf(payment),
    type: 'refund',
    reader_id: await readerOf(work, given, payment.processing_id),
    status: 'processing',
    status_message: statusMessage(null),
    open_operation: writePending({ kind: 'refund', payment: paymentId }),
    gateway: gateway.name,
  }

  const isRemote = gateway.kind === 'remote'
  const pending = isRemote ? writePending({ kind: 'refunding', refund: row.id }) : null
  const reserved = await work.tx.change(reserve, { id: paymentId, amount, pending, now: work.now })
  const parent = storedTransaction(await work.refresh('transaction', paymentId))
  if (reserved === 0) throw refundRefusal(parent, amount) ?? busy(parent)

  const gatewayRequest = followingOperation('refund', row.id, parent, amount)
  if (isRemote) {
    await work.insert('transaction', row)
    askAfterCommit(work, gateway, gatewayRequest, row.id)
    return row
  }
  const outcome = gateway.perform(gatewayRequest)
  const decision = refundDecision(parent, { id: row.id, amount }, outcome, dateOf(work.now))
  const refund = await insertDecided(work, row, decision)
  await settleParent(work, parent, amount, outcome)
  return refund
}

/** The payment that a refund's ledger entry names; nothing for a blind refund. Throws `InvalidAttributes`. */
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

/** A refund goes where the payment came from. Money: "Refunds, voids, disputes", 3. */
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
  /** What the payment's `open_operation` becomes until the gateway answers. */
  pending: string | null
  now: string
}

/** Reserves the balance, however many refunds arrive at once: the statement decides, not a read before it. */
const reserve = prepared<Reservation, never>((db, param) =>
  db
    .updateTable('transactions')
    .set((eb) => ({
      refunded: eb('refunded', '+', param('amount')),
      open_operation: param('pending'),
      modified_at: param('now'),
    }))
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'processed')
    .where('open_operation', 'is', null)
    .where(sql<boolean>`refunded + charged_back + ${param('amount')} <= amount`),
)
