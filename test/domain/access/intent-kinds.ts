import type { JsonObject } from '../../../src/schema/json.js'

/** Kinds of intent whose client keys can pay. Each function puts options into an intent of that kind. */
const KINDS: Readonly<Record<string, (options: JsonObject) => JsonObject>> = {
  'an intent without a kind': (options) => options,
  payment_form: (options) => ({ payment_form: { payment: options } }),
  checkout_plugin: (options) => ({ checkout_plugin: options }),
  checkout_page: (options) => ({ checkout_page: options }),
  payment_link: (options) => ({ payment_link: options }),
}

/** Kinds of intent whose payer pays on the page of a payment link. */
export const PAGES = ['checkout_page', 'payment_link']
export const EVERYWHERE = Object.keys(KINDS)
export const NO_PAGES = EVERYWHERE.filter((kind) => !PAGES.includes(kind))
export const CHECKOUTS = ['checkout_plugin', ...PAGES]

/** An intent of a kind with options; other kinds have their options at the top level. */
export function intentOf(kind: string, options: JsonObject): JsonObject {
  return KINDS[kind]?.(options) ?? options
}

/** Path of an option in the intent of a kind, as used in `details`. */
export function optionPath(kind: string, name: string): readonly string[] {
  const [first, ...inside] = { payment_form: ['payment_form', 'payment'] }[kind] ?? [kind]
  const isPlain = first === 'an intent without a kind' || first === ''
  return ['intent', ...(isPlain || first === undefined ? [] : [first]), ...inside, name]
}
