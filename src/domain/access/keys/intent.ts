import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { putDetail, withDetailPath } from '../../../engine/core/request/error-details.js'
import { validatedPlain } from '../../../engine/core/write/input.js'
import { transaction } from '../../../resources/transaction.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import { flag, group, json, money, oneOf, ref, text } from '../../../schema/field.js'
import type { JsonObject } from '../../../schema/json.js'
import { type Input, isTree } from '../../../schema/types.js'
import { webAddressProblem } from '../../../schema/web-address.js'
import type { Redirects } from '../../links/redirects.js'
import type { Created } from './created.js'

const METHOD_TYPE = oneOf(['card', 'bank_account'])

/** Attributes of a payment that an intent may fix, also for the page of a payment link. */
const LINKED = {
  type: oneOf(['payment']),
  amount: money({ sign: 'positive' }),
  customer_id: transaction.fields.customer_id,
  processing_id: transaction.fields.processing_id,
  payment_link_id: transaction.fields.payment_link_id,
  invoice_id: ref('invoice'),
  description: transaction.fields.description,
  order_number: transaction.fields.order_number,
} satisfies PlainFields

/** Attributes of a payment that an intent may fix. */
const PAYMENT = {
  ...LINKED,
  status: oneOf(['authorized', 'processed']),
  descriptor: transaction.fields.descriptor,
  attrs: json(),
  payment_method: group({ type: METHOD_TYPE, keep_active: flag() }),
} satisfies PlainFields

/** Methods that a checkout accepts; each is true by default. */
const ACCEPTED = { card_payments: flag(), bank_account_payments: flag() } satisfies PlainFields

const PAGE = {
  ...LINKED,
  ...ACCEPTED,
  status: oneOf(['processed']),
  redirects: group({ success_url: text(), cancel_url: text(), completed_url: text() }),
} satisfies PlainFields

/** A kind of page: its options, and what its client key creates (a path segment). */
interface Kind {
  readonly options: PlainFields
  readonly creates?: Created
  /** Whether the payer is sent to the page of a payment link. */
  readonly isPage?: true
}

/** Form to set up a processing account, with a new or an existing legal entity. */
const ACCOUNT_FORM: Kind = {
  creates: 'processing_accounts',
  options: { legal_entity_id: ref('legal_entity') },
}

/** The kinds of page that an intent may name. An option that is not declared here is refused. */
const KINDS: Readonly<Record<string, Kind>> = {
  payment_form: { creates: 'transactions', options: { payment: group(PAYMENT) } },
  payment_method_form: {
    creates: 'payment_methods',
    options: {
      customer_id: ref('customer'),
      payment_method: group({
        account_id: ref('customer'),
        type: METHOD_TYPE,
        default_payment_method: flag(),
        keep_active: flag(),
      }),
    },
  },
  checkout_plugin: { creates: 'transactions', options: { ...PAYMENT, ...ACCEPTED, keep_active: flag() } },
  checkout_page: { creates: 'transactions', isPage: true, options: PAGE },
  payment_link: { creates: 'transactions', isPage: true, options: PAGE },
  processing_account_form: ACCOUNT_FORM,
  processing_account_plugin: ACCOUNT_FORM,
  oauth_client_token: { options: {} },
}

/** An intent without a kind fixes attributes of a payment. */
const PLAIN: Kind = { creates: 'transactions', options: PAYMENT }

/** A validated intent. */
export interface Intent {
  /** Path segment of the objects that the key creates; undefined if it creates none. */
  readonly creates: Kind['creates']
  /** Attributes that each created object has, in their stored form. */
  readonly fixed: Readonly<Input>
  /** Kind of the page; undefined if the intent names none. */
  readonly kind: string | undefined
  /** Addresses to which the page of a payment link sends the payer. */
  readonly redirects?: Redirects | undefined
  /** Path of the fixed attributes in the `details` of an error. */
  readonly path: readonly string[]
}

/**
 * Reads the intent of a client key. Throws `InvalidAttributes` for unknown options, because an option without effect
 * must not be ignored.
 */
export async function readIntent(sent: unknown): Promise<Intent> {
  const { kind, options } = kindOf(sent ?? {})
  const { options: declared, creates, isPage } = (kind === undefined ? undefined : KINDS[kind]) ?? PLAIN
  const path = ['intent', ...(kind === undefined ? [] : [kind])]
  if (!isTree(options)) throw refusedOption(path, 'Must be an object')
  const values = given(await withDetailPath(path, async () => validatedPlain(declared, options)))
  const read = { kind, creates, path }
  if (creates === 'payment_methods')
    return { ...read, path: [...path, 'payment_method'], fixed: methodOf(values, path) }
  if (creates === 'processing_accounts') return { ...read, fixed: values }
  if (isTree(values.payment)) {
    const inside = [...path, 'payment']
    return { ...read, path: inside, fixed: paymentOf(values.payment, inside) }
  }
  const { redirects, ...attributes } = values
  const fixed = paymentOf(attributes, path)
  if (isPage !== true) return { ...read, fixed }
  if (fixed.payment_link_id !== undefined) refuseBeside(values, path)
  return { ...read, fixed: { ...fixed, status: 'processed' }, redirects: redirectsOf(redirects, path) }
}

/** The kind of page that an intent names, if it names one, and its options. */
function kindOf(intent: unknown): { readonly kind: string | undefined; readonly options: unknown } {
  const [name = '', ...others] = isTree(intent) ? Object.keys(intent) : []
  const isKind = isTree(intent) && others.length === 0 && Object.hasOwn(KINDS, name)
  return isKind ? { kind: name, options: intent[name] ?? {} } : { kind: undefined, options: intent }
}

/** Whether keys with this kind of intent lead the payer to the page of a payment link. */
export function hasPage(kind: string): boolean {
  return Object.hasOwn(KINDS, kind) && KINDS[kind]?.isPage === true
}

/** Error that refuses an option; its `details` contain the option's path. */
export function refusedOption(path: readonly string[], problem: string) {
  const details: JsonObject = {}
  putDetail(details, path, problem)
  return invalidAttributes(details)
}

/** Leaves out attributes without a value, also inside groups. */
function given(values: Input): Input {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, name !== 'attrs' && isTree(value) ? given(value) : value]),
  )
}

/**
 * Makes attributes of a payment from options. Options of a checkout become attributes of its payment method. A
 * payment for an invoice or a payment link is captured at once unless the intent says otherwise, because an
 * authorization pays neither.
 */
function paymentOf(values: Input, path: readonly string[]): Input {
  const { card_payments, bank_account_payments, keep_active, payment_method, status, ...fixed } = values
  const method: Input = isTree(payment_method) ? { ...payment_method } : {}
  if (keep_active !== undefined) {
    if ((method.keep_active ?? keep_active) !== keep_active)
      throw refusedOption([...path, 'keep_active'], 'Must be payment_method.keep_active')
    method.keep_active = keep_active
  }
  const type = acceptedType(card_payments !== 0, bank_account_payments !== 0, path)
  if (type !== undefined && (method.type ?? type) !== type)
    throw refusedOption([...path, 'payment_method', 'type'], `Must be ${type}`)
  const whole = type === undefined ? method : { ...method, type }
  const paysFor = fixed.invoice_id ?? fixed.payment_link_id
  const settled = status ?? (paysFor === undefined ? undefined : 'processed')
  return {
    ...fixed,
    ...(settled !== undefined && { status: settled }),
    ...(Object.keys(whole).length > 0 && { payment_method: whole }),
  }
}

/** The only type of method that is accepted; undefined if both are. */
function acceptedType(card: boolean, bank: boolean, path: readonly string[]): string | undefined {
  if (!card && !bank)
    throw refusedOption([...path, 'card_payments'], 'Must allow card or bank account payments')
  if (card && bank) return undefined
  return card ? 'card' : 'bank_account'
}

/**
 * Makes attributes of a payment method from options. Its owner is a customer, because methods of other accounts
 * receive deposits.
 */
function methodOf({ customer_id, payment_method }: Input, path: readonly string[]): Input {
  const method = isTree(payment_method) ? payment_method : {}
  const owner = method.account_id ?? customer_id
  if (customer_id !== undefined && customer_id !== owner)
    throw refusedOption([...path, 'customer_id'], 'Must be payment_method.account_id')
  if (method.default_payment_method === 1 && owner === undefined)
    throw refusedOption([...path, 'payment_method', 'default_payment_method'], 'Needs account_id')
  return owner === undefined ? method : { ...method, account_id: owner }
}

/** Refuses options that are sent with an existing payment link, which has its own terms. */
function refuseBeside(values: Input, path: readonly string[]): void {
  const other = Object.keys(values).find((name) => !['payment_link_id', 'type', 'status'].includes(name))
  if (other !== undefined) throw refusedOption([...path, other], 'Must not be sent with payment_link_id')
}

function redirectsOf(redirects: unknown, path: readonly string[]): Redirects | undefined {
  if (!isTree(redirects)) return undefined
  const addresses: { -readonly [N in keyof Redirects]: string } = {}
  for (const name of ['success_url', 'cancel_url', 'completed_url'] as const) {
    const address = redirects[name]
    if (typeof address !== 'string') continue
    const problem = webAddressProblem(address, 'redirect')
    if (problem) throw refusedOption([...path, 'redirects', name], problem)
    addresses[name] = address
  }
  return addresses
}
