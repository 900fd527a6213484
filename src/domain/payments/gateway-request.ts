import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import type { GatewayMethod, GatewayOperation } from '../../gateways/contract.js'
import { CURRENCY, type Minor } from '../../schema/money.js'
import { storedTransaction, type Transaction } from '../ledger/stored-transaction.js'
import { type NewOperation, readPending, referenceOf } from './pending-operation.js'

/** The request for a new payment, blind refund or credit. Payers are charged amount and convenience fee. */
export function requestForNew(
  { kind }: NewOperation,
  { id, amount, convFee }: Pick<Transaction, 'id' | 'amount' | 'convFee'>,
  method: GatewayMethod | undefined,
): GatewayOperation {
  const type = kind === 'blind_refund' ? 'refund' : kind
  return { type, reference: id, amount: amount + convFee, currency: CURRENCY, method }
}

/** The request for an operation on a payment that the gateway knows. */
export function requestOnPayment(
  type: 'capture' | 'void' | 'refund',
  reference: string,
  payment: Pick<Transaction, 'id' | 'status'>,
  amount: Minor,
): GatewayOperation {
  const parent = { reference: payment.id, gatewayId: null, isCaptured: payment.status === 'processed' }
  return { type, reference, parent, amount, currency: CURRENCY }
}

/**
 * The request of a pending operation once more, without the method, by which a gateway is asked what became of it.
 * Nothing when the transaction has none of its own.
 */
export async function pendingRequest(work: Work, row: TransactionRow): Promise<GatewayOperation | undefined> {
  if (row.open_operation === null) return undefined
  const pending = readPending(row.open_operation)
  const reference = referenceOf(pending, row.id)
  if (reference === undefined) return undefined
  const transaction = storedTransaction(row)
  switch (pending.kind) {
    case 'capture':
    case 'void':
      return requestOnPayment(pending.kind, reference, transaction, transaction.amount + transaction.convFee)
    case 'refund': {
      const payment = await work.find('transaction', pending.payment)
      if (!payment) throw new Error(`The payment ${pending.payment} of refund ${row.id} is gone`)
      return requestOnPayment('refund', reference, storedTransaction(payment), transaction.amount)
    }
    case 'refunding':
      return undefined
    default:
      return requestForNew(pending, transaction, undefined)
  }
}
