import { sql } from 'kysely'
import { invalidAttributes } from '../../engine/core/request/errors.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { Gateway } from '../../gateways/contract.js'
import { dateOf } from '../../schema/datetime.js'
import { busy } from '../ledger/refusals.js'
import { storedTransaction } from '../ledger/stored.js'
import { askLater } from './ask-gateway.js'
import { insertDecided } from './carry-out.js'
import { followingOperation } from './gateway-operation.js'
import { namedId, newRelated } from './named.js'
import { newTransaction, type TransactionInput } from './new-transaction.js'
import { writeOpen } from './open-operation.js'
import { readerOf } from './reader.js'
import { refundDecision, settleParent } from './record-refund.js'
import { refundRefusal } from './refund.js'
import { statusMessage } from './status-message.js'

/** Refunds a payment in full or in part. Spec: "Operations on specific resources", Refund. */
export async function refundPayment(
  work: Work,
  gateway: Gateway,
  input: TransactionInput,
  paymentId: string,
): Promise<TransactionRow> {
  const payment = await work.find('transaction', paymentId)
  if (!payment) throw invalidAttributes({ ledger: { 0: { assoc_transaction_id: 'Not found' } } })
  refuseOtherParties(input, payment)
  const amount = input.amount ?? 0
  const row = newTransaction(work, { ...input, amount })
  Object.assign(row, {
    type: 'refund',
    customer_id: payment.customer_id,
    payment_method_id: payment.payment_method_id,
    processing_id: payment.processing_id,
    reader_id: await readerOf(work, input, payment.processing_id),
    status: 'processing',
    status_message: statusMessage(null),
    open_operation: writeOpen({ kind: 'refund', payment: paymentId }),
    gateway: gateway.name,
  } satisfies Partial<TransactionRow>)

  const isRemote = gateway.kind === 'remote'
  const open = isRemote ? writeOpen({ kind: 'refunding', refund: row.id }) : null
  const reserved = await work.tx.change(reserve, { id: paymentId, amount, open, now: work.now })
  const stored = storedTransaction(await work.refresh('transaction', paymentId))
  if (reserved === 0) throw refundRefusal(stored, amount) ?? busy(stored)

  const operation = followingOperation('refund', row.id, stored, amount)
  if (isRemote) {
    await work.insert('transaction', row)
    askLater(work, gateway, operation, row.id)
    return row
  }
  const outcome = gateway.perform(operation)
  const refund = await insertDecided(
    work,
    row,
    refundDecision(stored, { id: row.id, amount }, outcome, dateOf(work.now)),
  )
  await settleParent(work, stored, amount, outcome)
  return refund
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
  /** What the payment's `open_operation` becomes while the gateway is asked. */
  open: string | null
  now: string
}

/** Reserves the balance, however many refunds arrive at once: the statement decides, not a read before it. */
const reserve = prepared<Reservation, never>((db, param) =>
  db
    .updateTable('transactions')
    .set((eb) => ({
      refunded: eb('refunded', '+', param('amount')),
      open_operation: param('open'),
      modified_at: param('now'),
    }))
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'processed')
    .where('open_operation', 'is', null)
    .where(sql<boolean>`refunded + charged_back + ${param('amount')} <= amount`),
)
