import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Principal } from '../../../engine/core/request/principal.js'
import { boundMethod, outside, refuseBeyond } from '../../accounts/client-method.js'
import type { TransactionInput } from '../parties/new-transaction.js'

/** Attributes of a payment that a page may send, whatever the intent of its client key. */
const FREE: ReadonlySet<string> = new Set([
  'object',
  'type',
  'status',
  'amount',
  'description',
  'order_number',
  'processing_id',
  'card_code',
  'payment_method',
  'order_details',
  'shipping_details',
  'attrs',
])

/**
 * Restricts a client key's payment to a new payment method and to the attributes that its intent fixes. Input by
 * other principals is returned unchanged. Throws `Forbidden`, which names the attributes beyond the intent.
 */
export function applyIntent({ kind, intent = {} }: Principal, input: TransactionInput): TransactionInput {
  if (kind !== 'client') return input
  if (input.type !== 'payment') throw outside(['type'], 'Must be payment')
  const { invoice_id, payment_method: fixedMethod, ...fixed } = intent
  refuseBeyond(input, { free: FREE, intent: fixed, path: [] })
  const { payment_method: sent, amount } = input
  if (!sent) throw invalidAttributes({ payment_method: 'Required' })
  const payment_method = boundMethod(sent, fixedMethod, ['payment_method'])
  const bound = { ...input, ...fixed, payment_method }
  if (invoice_id === undefined) return bound
  return { ...bound, allocations: [{ entry_type: 'payment', invoice_id, amount }] }
}
