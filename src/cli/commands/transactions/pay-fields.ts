import type { FlagDescription, FlagKind } from '../../../schema/flag-description.js'
import { transactionShape } from './transaction-target.js'

/** The flags of a payment, under their short names in the trade. */
export const payFields: readonly FlagDescription[] = [
  field('amount', ['amount'], 'money', 'what the payer pays'),
  field(
    'customer',
    ['customer_id'],
    'text',
    'id of the customer who pays; without a method, by the default one',
  ),
  field('processing', ['processing_id'], 'text', 'id of the processing account that the payment goes to'),
  field('payment-method', ['payment_method_id'], 'text', 'id of a saved payment method'),
  field('card', ['payment_method', 'card', 'card_number'], 'secret', 'card number'),
  field('expiry', ['payment_method', 'card', 'expiry'], 'text', 'card expiration, MM/YY'),
  field('card-code', ['payment_method', 'card', 'card_code'], 'secret', 'CVV of the card'),
  field(
    'bank-account',
    ['payment_method', 'bank_account', 'account_number'],
    'secret',
    'bank account number',
  ),
  field('routing', ['payment_method', 'bank_account', 'routing_number'], 'secret', 'bank routing number'),
  {
    ...field(
      'account-type',
      ['payment_method', 'bank_account', 'account_type'],
      'choice',
      'kind of bank account',
    ),
    choices: ['checking', 'savings'],
  },
  field('holder', ['payment_method', 'account_holder'], 'text', 'name of the holder'),
  field(
    'postal-code',
    ['payment_method', 'billing_address', 'postal_code'],
    'text',
    'postal code of the billing address',
  ),
  field(
    'street',
    ['payment_method', 'billing_address', 'street_address'],
    'text',
    'street and number of the billing address',
  ),
  field('description', ['description'], 'text', 'what the payment is for'),
  field('order-number', ['order_number'], 'text', "the merchant's number of the order"),
]

function field(name: string, path: readonly string[], kind: FlagKind, doc: string): FlagDescription {
  return { name, path, kind, doc, choices: [], required: false, field: transactionShape.field(path) }
}

/** Flags that each kind of method requires. */
const NEEDED = {
  card: ['card', 'expiry'],
  bank_account: ['bank-account', 'routing', 'account-type'],
} as const

export type MethodType = keyof typeof NEEDED

/** The flags of a payment; those that this kind of method needs are required. */
export function fieldsNeeded(method: MethodType | undefined): readonly FlagDescription[] {
  const needed: readonly string[] = method ? NEEDED[method] : []
  return payFields.map((entry) => ({
    ...entry,
    required: entry.name === 'amount' || needed.includes(entry.name),
  }))
}
