import { isObject, valueAt } from '../../../schema/json.js'
import type { Details, FormPath } from '../frames/frame-message.js'
import { nameOf, SECURE } from './page-field.js'

/** Attributes of a payment method that an input may name without payment_method before them. */
const OF_A_METHOD: readonly (string | undefined)[] = [
  'account_holder',
  'billing_address',
  'keep_active',
  'default_payment_method',
  'phone_number',
]

/** An element that may be an input of the page, as a custom element may be, too. */
type PageInput = HTMLElement & Partial<Pick<HTMLInputElement, 'type' | 'checked' | 'disabled' | 'value'>>

/**
 * The path of an attribute that an input names: in a payment, `billing_address[postal_code]` belongs to its method.
 */
function attributePath(name: string, path: FormPath): readonly string[] {
  const parts = name.split(/[[\]]+/).filter((part) => part !== '')
  const whole = parts[0] === 'account_type' ? ['bank_account', ...parts] : parts
  if (path === 'payment_methods') return whole[0] === 'payment_method' ? whole.slice(1) : whole
  if (whole[0] === 'payment') return whole.slice(1)
  return OF_A_METHOD.includes(whole[0]) || whole[0] === 'bank_account' ? ['payment_method', ...whole] : whole
}

/** A copy of an object with the value at a path. */
function withValue(object: unknown, [name, ...rest]: readonly string[], value: string): Details {
  const known: Details = isObject(object) ? object : {}
  if (name === undefined) return known
  return { ...known, [name]: rest.length === 0 ? value : withValue(known[name], rest, value) }
}

/** Inputs of a form that the page reads, with the paths of their attributes. */
export function inputsOf(form: Element, path: FormPath): (readonly [PageInput, readonly string[]])[] {
  return [...form.querySelectorAll<PageInput>('[pl-input]')]
    .filter((element) => !Object.hasOwn(SECURE, nameOf(element)) && nameOf(element) !== '')
    .map((element) => [element, attributePath(nameOf(element), path)])
}

/** Values that the page gives without an input for them. */
export interface GivenValues {
  readonly payment?: Details | undefined
  readonly payment_method?: Details | undefined
}

/** The body of a request, from the inputs besides the secure fields. */
export function bodyOf(form: Element, path: FormPath, given: GivenValues): Details {
  let body = givenBody(path, given)
  for (const [{ type, checked, disabled, value }, at] of inputsOf(form, path)) {
    if (disabled || ((type === 'checkbox' || type === 'radio') && !checked)) continue
    const text = String(value ?? '').trim()
    if (text === '') continue
    body = withValue(body, at, at.at(-1) === 'amount' ? text.replace(/,(?=\d{3}(\D|$))/g, '') : text)
  }
  return JSON.parse(JSON.stringify(body))
}

function givenBody(path: FormPath, { payment, payment_method }: GivenValues): Details {
  if (path === 'payment_methods') return { ...payment_method }
  if (!payment_method) return { ...payment }
  return { ...payment, payment_method: { ...methodIn({ ...payment }), ...payment_method } }
}

/** The payment method in the body of a payment. */
function methodIn({ payment_method: method }: Details): Details {
  return isObject(method) ? method : {}
}

/** The payment method in the body of a request, without the input of secure fields. */
export function methodOf(path: FormPath, body: Details): Details {
  return path === 'transactions' ? methodIn(body) : body
}

/** The problem of an attribute in the details of an error; undefined for none. */
export function problemAt(details: Details, at: readonly string[]): string | undefined {
  const found = isObject(details) ? valueAt(details, at) : undefined
  return typeof found === 'string' ? found : undefined
}
