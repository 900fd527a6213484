import type { FlagDescription } from '../../../schema/flag-description.js'

/**
 * Usual headers of columns, by attribute. If several attributes have the same header, the first one is
 * meant.
 */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  payment: ['payment id', 'transaction', 'transaction id', 'reference', 'ref number'],
  amount: ['total', 'sum', 'price', 'value', 'amount usd', 'usd'],
  order_number: ['order', 'order no', 'order id', 'order nr'],
  description: ['for', 'note', 'notes', 'memo', 'text'],
  customer_id: ['customer', 'client', 'payer'],
  processing_id: ['processing', 'processing account', 'merchant'],
  'payment_method.card.card_number': ['card', 'card no', 'card number', 'number', 'credit card', 'pan'],
  'payment_method.card.expiry': [
    'expiry',
    'exp',
    'expires',
    'expiration',
    'expiry date',
    'exp date',
    'valid until',
  ],
  'payment_method.card.card_code': ['card code', 'cvv', 'cvc', 'security code'],
  'payment_method.bank_account.account_number': ['account', 'account no', 'account number', 'bank account'],
  'payment_method.bank_account.routing_number': ['routing', 'routing no', 'routing number'],
  'payment_method.bank_account.account_type': ['account type'],
  'payment_method.account_holder': ['holder', 'account holder', 'cardholder', 'name on card'],
  'payment_method.billing_address.postal_code': ['zip', 'zip code', 'postal code', 'postcode'],
  'payment_method.type': ['method', 'payment method', 'method type'],
  name: ['full name', 'customer name'],
  email: ['e mail', 'mail', 'email address'],
}

/** The attribute that a usual header means; undefined if none or several are possible. */
export function guessedAttribute(
  header: string,
  attributes: readonly FlagDescription[],
): FlagDescription | undefined {
  const words = header
    .toLowerCase()
    .replace(/[^a-z]+/g, ' ')
    .trim()
  const named = Object.keys(WORDS).find((path) => WORDS[path]?.includes(words))
  const known = attributes.find(({ path }) => path.join('.') === named)
  if (known) return known
  const ending = attributes.filter(({ path }) => path.at(-1) === words.replaceAll(' ', '_'))
  return ending.length === 1 ? ending[0] : undefined
}
