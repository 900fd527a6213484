import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { exceededLimit } from './find-destination.js'

/**
 * Checks that a payment without a customer may get one, for shops that learn who paid only after the payment. Refused
 * once the payment has refunds or disputes, because these have the same customer. Throws `InvalidAttributes`.
 */
export async function checkLaterCustomer(work: Work, payment: TransactionRow, id: string): Promise<void> {
  if (payment.type !== 'payment') throw refused(`Only a payment gets a customer later, not a ${payment.type}`)
  const customer = await work.find(resources.customer, id)
  if (!customer) throw refused('Not found')
  const method = payment.payment_method_id
    ? await work.find(resources.payment_method, payment.payment_method_id)
    : undefined
  if (method && method.account_id !== null && method.account_id !== id)
    throw refused('Must be the customer of its payment method')
  const exceeded = exceededLimit(payment.amount ?? 0, [customer.transaction_limit])
  if (exceeded) throw invalidAttributes(exceeded)
  if (await hasFollowers(work, payment)) throw refused('Cannot be set after a refund or a dispute')
}

/**
 * Whether a payment has refunds, disputes or clawbacks, which share its customer. Deposits and settlements do not
 * count: they have no customer.
 */
async function hasFollowers(
  work: Work,
  { id, refunded, charged_back: back }: TransactionRow,
): Promise<boolean> {
  if ((refunded ?? 0) + (back ?? 0) > 0) return true
  const disputes = await work.findBy(resources.transaction, 'disputed_id', id)
  if (disputes.length > 0) return true
  for (const entry of await work.findBy(resources.transaction_ledger, 'assoc_transaction_id', id)) {
    const other = entry.transaction_id && (await work.find(resources.transaction, entry.transaction_id))
    if (other && other.period === null && other.settlement_id === null) return true
  }
  return false
}

function refused(problem: string) {
  return invalidAttributes({ customer_id: problem })
}
