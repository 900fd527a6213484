import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { Input } from '../../schema/types.js'
import type { TransactionInput } from './new-transaction.js'

/** Attributes of a payment that a page may send, whatever the intent of its client key. */
const FREE = new Set([
  'object',
  'type',
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

/** Attributes of the payment method that a page may send; the method is always a new one. */
const METHOD = new Set([
  'object',
  'type',
  'account_holder',
  'phone_number',
  'keep_active',
  'bank_account',
  'billing_address',
  'card',
])

/**
 * Restricts a client key's payment to a new payment method and to the attributes that its intent fixes. Input by
 * other principals is returned unchanged. Throws `Forbidden`, which names the attributes beyond the intent.
 */
export function applyIntent({ kind, intent = {} }: Principal, input: TransactionInput): TransactionInput {
  if (kind !== 'client') return input
  if (input.type !== 'payment') throw outside({ type: 'Must be payment' })
  refuseOthers(input, FREE, intent)
  const { payment_method: method } = input
  if (!method) throw invalidAttributes({ payment_method: 'Required' })
  refuseOthers(method, METHOD, {}, 'payment_method')
  const { invoice_id, ...fixed } = intent
  if (invoice_id === undefined) return { ...input, ...fixed }
  return { ...input, ...fixed, allocations: [{ entry_type: 'payment', invoice_id, amount: input.amount }] }
}

function refuseOthers(
  input: Input,
  free: ReadonlySet<string>,
  intent: Readonly<Input>,
  group?: 'payment_method',
): void {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue
    const fixed = intent[name]
    const problem = fixed === undefined ? !free.has(name) && 'Not allowed' : value !== fixed && 'Is fixed'
    if (problem) throw outside(group ? { [group]: { [name]: problem } } : { [name]: problem })
  }
}

function outside(details: { [name: string]: string | { [name: string]: string } }): ApiError {
  const refused = invalidAttributes(details)
  return new ApiError('Forbidden', `The client key does not allow ${refused.description}`, details)
}
