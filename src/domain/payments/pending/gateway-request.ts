import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import type {
  GatewayMethod,
  GatewayOperation,
  ParentOperation,
  PayerDevice,
} from '../../../gateways/contract.js'
import { resources } from '../../../resources/resource-table.js'
import { CURRENCY, type Minor } from '../../../schema/money.js'
import {
  type CapturedPart,
  type NewOperation,
  type PaymentOperation,
  readPending,
  referenceOf,
} from './pending-operation.js'

/**
 * The request for a new payment, blind refund or credit. Payers are charged amount and convenience fee. A bank account
 * is debited by a mandate, which names the device of a payer who is online.
 */
export function requestForNew(
  { kind }: NewOperation,
  row: TransactionRow,
  method: GatewayMethod | undefined,
  device?: PayerDevice,
): GatewayOperation {
  return {
    type: kind === 'blind_refund' ? 'refund' : kind,
    reference: row.id,
    amount: chargedAmount(row),
    method,
    initiator: row.automatic === 1 ? 'consent' : 'payer',
    ...(device && method?.type === 'bank_account' && { device }),
    ...describe(row),
  }
}

/**
 * Request for an operation on a payment that the gateway knows; `own` is the operation's own transaction, if it is a
 * refund.
 */
export function requestOnPayment(
  type: 'capture' | 'void' | 'refund',
  reference: string,
  payment: TransactionRow,
  amount: Minor,
  own: TransactionRow = payment,
): GatewayOperation {
  return { type, reference, parent: parentOf(payment), amount, ...describe(own) }
}

/** Request for a capture or a void of a payment; a capture may be of a part. */
export function requestOnWhole(operation: PaymentOperation, payment: TransactionRow): GatewayOperation {
  const { kind, reference } = operation
  const part = operation.kind === 'capture' ? operation.part : undefined
  const request = requestOnPayment(
    kind,
    reference,
    payment,
    part ? chargedPart(part) : chargedAmount(payment),
  )
  return part ? { ...request, isPart: true } : request
}

/** Amount that the payer is charged for a captured part, in minor units. */
export function chargedPart({ amount, convFee }: CapturedPart): Minor {
  return amount + convFee
}

/** Amount that the payer is charged or paid, in minor units. */
export function chargedAmount({
  amount,
  conv_fee: convFee,
}: Pick<TransactionRow, 'amount' | 'conv_fee'>): Minor {
  return (amount ?? 0) + (convFee ?? 0)
}

/**
 * Builds the request of a pending operation again, without the payment method, to query the gateway for its outcome.
 * Undefined when the transaction itself has no operation at the gateway.
 */
export async function pendingRequest(work: Work, row: TransactionRow): Promise<GatewayOperation | undefined> {
  if (row.pending_operation === null) return undefined
  const pending = readPending(row.pending_operation)
  const reference = referenceOf(pending, row.id)
  if (reference === undefined) return undefined
  switch (pending.kind) {
    case 'capture':
    case 'void':
      return requestOnWhole(pending, row)
    case 'undo':
      return requestOnPayment('void', reference, row, row.approved_amount ?? 0)
    case 'refund': {
      const payment = await work.find(resources.transaction, pending.payment)
      if (!payment) throw new Error(`The payment ${pending.payment} of refund ${row.id} is gone`)
      return requestOnPayment('refund', reference, payment, row.amount ?? 0, row)
    }
    case 'refunding':
      return undefined
    default:
      return requestForNew(pending, row, undefined)
  }
}

function parentOf({ id, gateway_id: gatewayId, status }: TransactionRow): ParentOperation {
  return { reference: id, gatewayId, isCaptured: status === 'processed' }
}

function describe(row: TransactionRow) {
  return {
    currency: CURRENCY,
    descriptor: row.descriptor ?? undefined,
    orderNumber: row.order_number ?? undefined,
    description: row.description ?? undefined,
    merchant: row.gateway_merchant ?? undefined,
    refNumber: row.ref_number ?? undefined,
    order: {
      tax: row.order_details__incl_costs__tax ?? undefined,
      shipping: row.order_details__incl_costs__shipping ?? undefined,
      duty: row.order_details__incl_costs__duty ?? undefined,
    },
  }
}
