import type { OpenedLink, PayingMethod } from '../../../domain/links/open-link.js'
import { choices, type FormChoice, type FormTextField, textField } from '../form.js'
import type { Html } from '../html.js'

/** A field of the payment form. */
export interface PaymentField extends Omit<FormTextField, 'value' | 'error' | 'hasFocus'> {
  /** Whether its value is never sent back to the browser: numbers and codes of cards and accounts. */
  readonly isSecret?: boolean
  /** The values to choose from; if omitted, the field is a text. */
  readonly options?: readonly FormChoice[]
}

const HOLDER = { name: 'account_holder', required: true, maxlength: 100, autocomplete: 'cc-name' }

const CARD: readonly PaymentField[] = [
  {
    name: 'card_number',
    label: 'Card number',
    required: true,
    isSecret: true,
    hint: 'Visa, Mastercard, American Express or Discover',
    inputmode: 'numeric',
    autocomplete: 'cc-number',
    maxlength: 24,
  },
  {
    name: 'expiry',
    label: 'Expires',
    required: true,
    isSecret: true,
    isShort: true,
    placeholder: 'MM/YY',
    inputmode: 'numeric',
    autocomplete: 'cc-exp',
    maxlength: 9,
  },
  {
    name: 'card_code',
    label: 'Security code',
    required: true,
    isSecret: true,
    isShort: true,
    inputmode: 'numeric',
    autocomplete: 'cc-csc',
    maxlength: 4,
  },
  { ...HOLDER, label: 'Name on the card' },
  {
    name: 'postal_code',
    label: 'Billing postal code',
    required: true,
    autocomplete: 'billing postal-code',
    maxlength: 12,
  },
]

const BANK: readonly PaymentField[] = [
  { ...HOLDER, label: 'Name on the account', autocomplete: 'name' },
  {
    name: 'routing_number',
    label: 'Routing number',
    required: true,
    isSecret: true,
    hint: 'Nine digits, at the bottom left of a check',
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 11,
  },
  {
    name: 'account_number',
    label: 'Account number',
    required: true,
    isSecret: true,
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 20,
  },
  {
    name: 'account_type',
    label: 'Account type',
    required: true,
    options: [
      { value: 'checking', label: 'Checking' },
      { value: 'savings', label: 'Savings' },
    ],
  },
]

/** The fields of a link's page for one method. */
export function paymentFields(link: OpenedLink, method: PayingMethod): readonly PaymentField[] {
  const amount: readonly PaymentField[] = link.takesParts
    ? [{ name: 'amount', label: 'Amount', required: true, inputmode: 'decimal', maxlength: 14 }]
    : []
  const added = link.dataFields.map(({ label, isRequired }, index) => ({
    name: linkFieldName(index),
    label: isRequired ? label : `${label} (optional)`,
    required: isRequired,
    maxlength: 500,
  }))
  return [...amount, ...added, ...(method === 'card' ? CARD : BANK)]
}

/** The name of a field that the link adds to the form. */
export function linkFieldName(index: number): string {
  return `data_${index}`
}

/** Earlier input and its errors, by name of the field. */
export interface FilledFields {
  readonly values: ReadonlyMap<string, string>
  readonly errors: ReadonlyMap<string, string>
}

export function fieldHtml(field: PaymentField, { values, errors }: FilledFields, hasFocus: boolean): Html {
  const { isSecret, options, ...shown } = field
  const value = isSecret ? undefined : values.get(field.name)
  const error = errors.get(field.name)
  // A correct value of such a field is not sent back.
  const isAgain = isSecret && errors.size > 0 && error === undefined
  const plain = isAgain ? { ...shown, hint: 'Type this again' } : shown
  return options
    ? choices({ ...plain, options, chosen: value, error, hasFocus })
    : textField({ ...plain, value, error, hasFocus })
}
