import { type FlagDescription, flagsOf } from '../../../schema/flag-description.js'
import { registry } from '../../terminal/declarations/declared-registry.js'
import { transaction } from './transaction-target.js'

/** Paths of a payment's attributes, by the short names of their flags. */
const SHORT = {
  amount: 'amount',
  customer: 'customer_id',
  processing: 'processing_id',
  'payment-method': 'payment_method_id',
  card: 'payment_method.card.card_number',
  expiry: 'payment_method.card.expiry',
  'card-code': 'payment_method.card.card_code',
  'bank-account': 'payment_method.bank_account.account_number',
  routing: 'payment_method.bank_account.routing_number',
  'account-type': 'payment_method.bank_account.account_type',
  holder: 'payment_method.account_holder',
  'postal-code': 'payment_method.billing_address.postal_code',
  street: 'payment_method.billing_address.street_address',
  description: 'description',
  'order-number': 'order_number',
} as const

const declared = flagsOf(registry, transaction, 'create')

/**
 * The flags of a payment, all optional. `fieldsNeeded` marks the required ones by the kind of payment
 * method.
 */
export const payFields: readonly FlagDescription[] = Object.entries(SHORT).flatMap(([name, at]) =>
  declared.filter(({ path }) => path.join('.') === at).map((description) => named(name, description)),
)

function named(name: string, { form, ...description }: FlagDescription): FlagDescription {
  if (!form) return { ...description, name, required: false }
  const { needed: _, ...words } = form
  return { ...description, name, required: false, form: words }
}

/** Flags that each kind of method requires. */
const NEEDED = {
  card: ['card', 'expiry'],
  bank_account: ['bank-account', 'routing', 'account-type'],
} as const

export type MethodType = keyof typeof NEEDED

/** The flags of a payment; the amount, and the flags that this kind of method needs, are required. */
export function fieldsNeeded(method: MethodType | undefined): readonly FlagDescription[] {
  const needed: readonly string[] = method ? NEEDED[method] : []
  return payFields.map((entry) => ({
    ...entry,
    required: entry.name === 'amount' || needed.includes(entry.name),
  }))
}
