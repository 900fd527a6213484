import type { Payable, PayingMethod } from '../../domain/links/open-link.js'
import { choices, type FieldProblems, type FormChoice, type FormTextField, textField } from '../html/form.js'
import type { Html } from '../html/html.js'
import type { Texts } from './texts/payer-english.js'
import { fillText } from './texts/payer-texts.js'

/** A field of the payment form. */
export interface PaymentField extends Omit<FormTextField, 'value' | 'error' | 'hasFocus' | 'problems'> {
  /** Whether its value is never sent back to the browser: numbers and codes of cards and accounts. */
  readonly isSecret?: boolean
  /** The values to choose from; if omitted, the field is a text. */
  readonly options?: readonly FormChoice[]
  /** Text for a value that cannot be valid; undefined if any text is valid. */
  readonly wrong?: string
  /** Text for a date in the past. */
  readonly past?: string
  /** Title of the section that a link's own field belongs to. */
  readonly section?: string | undefined
}

const NUMBER = { required: true, isSecret: true, inputmode: 'numeric' } as const
const HOLDER = { name: 'account_holder', required: true, maxlength: 100 }

/** Fields of a card besides its number, expiry and code. */
function cardholderFields(texts: Texts): readonly PaymentField[] {
  return [
    { ...HOLDER, label: texts.nameOnCard, autocomplete: 'cc-name' },
    {
      name: 'postal_code',
      label: texts.postalCode,
      required: true,
      autocomplete: 'billing postal-code',
      maxlength: 12,
    },
  ]
}

function cardFields(texts: Texts): readonly PaymentField[] {
  return [
    {
      ...NUMBER,
      name: 'card_number',
      label: texts.cardNumber,
      hint: texts.cardNumberHint,
      wrong: texts.wrongCardNumber,
      autocomplete: 'cc-number',
      maxlength: 24,
    },
    {
      ...NUMBER,
      name: 'expiry',
      label: texts.expires,
      placeholder: texts.expiryForm,
      wrong: texts.wrongExpiry,
      past: texts.pastExpiry,
      isShort: true,
      autocomplete: 'cc-exp',
      maxlength: 9,
    },
    {
      ...NUMBER,
      name: 'card_code',
      label: texts.securityCode,
      wrong: texts.wrongSecurityCode,
      isShort: true,
      autocomplete: 'cc-csc',
      maxlength: 4,
    },
    ...cardholderFields(texts),
  ]
}

function bankFields(texts: Texts): readonly PaymentField[] {
  return [
    { ...HOLDER, label: texts.nameOnAccount, autocomplete: 'name' },
    {
      ...NUMBER,
      name: 'routing_number',
      label: texts.routingNumber,
      hint: texts.routingHint,
      wrong: texts.wrongRoutingNumber,
      autocomplete: 'off',
      maxlength: 11,
    },
    {
      ...NUMBER,
      name: 'account_number',
      label: texts.accountNumber,
      wrong: texts.wrongAccountNumber,
      autocomplete: 'off',
      maxlength: 20,
    },
    {
      name: 'account_type',
      label: texts.accountType,
      required: true,
      options: [
        { value: 'checking', label: texts.checking },
        { value: 'savings', label: texts.savings },
      ],
    },
  ]
}

/**
 * The fields of a link's page for one method. Card and account numbers are left out if the gateway has its own fields
 * for such numbers.
 */
export function paymentFields(link: Payable, method: PayingMethod, texts: Texts): readonly PaymentField[] {
  const amount: PaymentField = {
    name: 'amount',
    label: texts.amount,
    wrong: texts.wrongAmount,
    required: true,
    inputmode: 'decimal',
    maxlength: 14,
  }
  const added = link.dataFields.map(({ label, isRequired, section }, index) => ({
    name: linkFieldName(index),
    label: isRequired ? label : fillText(texts.optional, { label }),
    required: isRequired,
    maxlength: 500,
    section,
  }))
  return [...(link.takesParts ? [amount] : []), ...added, ...numberFields(link, method, texts)]
}

function numberFields(link: Payable, method: PayingMethod, texts: Texts): readonly PaymentField[] {
  const isTyped = !link.fields.has(method)
  if (method === 'card') return isTyped ? cardFields(texts) : cardholderFields(texts)
  return isTyped ? bankFields(texts) : [{ ...HOLDER, label: texts.nameOnAccount, autocomplete: 'name' }]
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

/** A field with its earlier input. A secret value is not sent back: its hint asks for it again. */
export function fieldHtml(
  field: PaymentField,
  { values, errors }: FilledFields,
  texts: Texts,
  hasFocus: boolean,
): Html {
  const { isSecret, options, wrong, past, section: _, ...shown } = field
  const value = isSecret ? undefined : values.get(field.name)
  const error = errors.get(field.name)
  const isAgain = isSecret && errors.size > 0 && error === undefined
  const hint = isAgain ? texts.typeAgain : shown.hint
  const missing = options ? texts.chooseOne : texts.missing
  const problems: FieldProblems = { missing: field.required ? missing : undefined, wrong, past }
  return options
    ? choices({ ...shown, hint, options, chosen: value, error, hasFocus, problems })
    : textField({ ...shown, hint, value, error, hasFocus, problems })
}
