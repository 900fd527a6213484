import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import type { TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Input } from '../../schema/types.js'
import type { Gateways } from '../gateways/gateways.js'
import { storedTransaction } from '../ledger/stored-transaction.js'
import { checkLaterCustomer } from './parties/later-customer.js'
import type { TransactionInput } from './parties/new-transaction.js'
import { isAwaitingPayer } from './pending/awaited-payer.js'
import { cannotChange, operationFor } from './pending/transaction-status.js'
import { capturePayment } from './take/capture-payment.js'
import { voidPayment } from './take/void-payment.js'

/**
 * Changes descriptive attributes, sets a customer that a payment did not have, and voids or captures a payment if the
 * input changes its `status`. Spec: "States and transitions".
 */
export async function updateTransaction(
  work: Work,
  gateways: Gateways,
  row: TransactionRow,
  input: TransactionInput,
): Promise<TransactionRow> {
  const { status, ...described } = input
  const operation = requestedOperation(row, status)
  const { customer_id: customer } = described
  if (typeof customer === 'string' && row.customer_id === null) await checkLaterCustomer(work, row, customer)
  const updated = await work.updatePlainly(resources.transaction, row, described)
  if (operation === 'none') return updated
  const connected = await gateways.of(work, row)
  return operation === 'capture'
    ? await capturePayment(work, connected, row.id)
    : await voidPayment(work, connected, row.id)
}

/** Captures a payment, all or a part of it. Throws `InvalidAttributes` and `Conflict`. */
export async function captureByAction(
  work: Work,
  gateways: Gateways,
  row: TransactionRow,
  { amount, allow_unallocated: allow }: Input,
): Promise<TransactionRow> {
  // JSON has null in place of NaN. A client whose computation failed must not capture the whole payment.
  if (amount === null) throw invalidAttributes({ amount: 'Must be a number; leave it out to capture all' })
  const connected = await gateways.of(work, row)
  return await capturePayment(work, connected, row.id, {
    amount: typeof amount === 'number' ? amount : undefined,
    allowUnallocated: allow === true || allow === 1,
  })
}

/**
 * Executes the operator's decision on a payment that is held for review. An allowed payment gets its requested status,
 * a denied payment is voided. Until the void has succeeded the decision can be changed. Throws `InvalidAttributes` for
 * a payment that is not held. See docs/money.md, "Before a payment is taken".
 */
export async function reviewPayment(
  work: Work,
  gateways: Gateways,
  row: TransactionRow,
  { decision }: Input,
): Promise<TransactionRow> {
  const isHeld = row.risk_flag === 'in_review' || row.risk_flag === 'denied'
  if (!isHeld || row.status !== 'authorized')
    throw invalidAttributes({ decision: `The payment is not held for review: it is ${row.status}` })
  const connected = await gateways.of(work, row)
  const isAllowed = decision === 'allow'
  const judged = await work.change(resources.transaction, row.id, {
    risk_flag: isAllowed ? 'allowed' : 'denied',
  })
  if (!isAllowed) return await voidPayment(work, connected, row.id)
  return judged.requested_status === 'processed' ? await capturePayment(work, connected, row.id) : judged
}

function requestedOperation(
  row: TransactionRow,
  status: TransactionInput['status'],
): 'capture' | 'void' | 'none' {
  if (status === undefined) return 'none'
  if (status === null) throw invalidAttributes({ status: 'Required' })
  // A payment that waits for its payer is given up, and becomes declined.
  if (status === 'voided' && isAwaitingPayer(row)) return 'void'
  const from = storedTransaction(row).status
  const operation = operationFor(from, status)
  if (!operation) throw invalidAttributes({ status: cannotChange(from, status) })
  return operation
}
