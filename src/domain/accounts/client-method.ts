import { isDeepStrictEqual } from 'node:util'
import { ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import { detailsUnder } from '../../engine/core/request/error-details.js'
import type { Principal } from '../../engine/core/request/principal.js'
import type { resources } from '../../resources/resource-table.js'
import { type Input, type InputFor, isTree } from '../../schema/types.js'

type MethodInput = InputFor<typeof resources.payment_method>

/** Attributes of a payment method that a page may send; the method is always a new one. */
const METHOD: ReadonlySet<string> = new Set([
  'object',
  'type',
  'account_holder',
  'phone_number',
  'keep_active',
  'bank_account',
  'billing_address',
  'card',
  'gateway_token',
])

/**
 * Restricts a payment method of a client key to what a page may send, and adds the attributes that the key's intent
 * fixes. `path` is that of the method in the input. Throws `Forbidden`, which names the attributes beyond the intent.
 */
export function boundMethod(method: MethodInput, fixed: unknown, path: readonly string[]): MethodInput {
  const intent = isTree(fixed) ? fixed : {}
  // `keep_active` is true by default, so the page may not have sent it.
  const sent = method.keep_active === 1 ? { ...method, keep_active: undefined } : method
  refuseBeyond(sent, { free: METHOD, intent, path })
  return Object.assign({}, method, intent)
}

/** A method that a payer saves on a page, with the payer's consent. */
export interface SavedMethod {
  readonly input: MethodInput
  /** Text that the payer has agreed to. */
  readonly consent: string
  /** Link on whose page it is saved. */
  readonly link: string | undefined
}

/** Consent that is stored if the intent has no text, as a shop's page shows its own. */
const CONSENT = 'The payer has saved this payment method on a page of the merchant, for later payments.'

/** A method that a page saves with a client key, restricted by the key's intent; undefined for any other request. */
export function savedMethod(principal: Principal, input: MethodInput): SavedMethod | undefined {
  if (principal.kind !== 'client' || principal.grants?.payment_methods === undefined) return undefined
  const { consent = CONSENT, payment_link_id: link, ...fixed } = principal.intent ?? {}
  return {
    input: boundMethod(input, fixed, []),
    consent: String(consent),
    link: typeof link === 'string' ? link : undefined,
  }
}

/** Attributes that a page may choose, and those that the intent of its key fixes. */
interface Bounds {
  readonly free: ReadonlySet<string>
  readonly intent: Readonly<Input>
  readonly path: readonly string[]
}

/** Throws `Forbidden` for an attribute that a page may not send, or that has another value than the intent's. */
export function refuseBeyond(input: Input, { free, intent, path }: Bounds): void {
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || value === null) continue
    const fixed = intent[name]
    if (fixed === undefined && !free.has(name)) throw outside([...path, name], 'Not allowed')
    if (fixed !== undefined && !isDeepStrictEqual(value, fixed)) throw outside([...path, name], 'Is fixed')
  }
}

/** Error that refuses an attribute beyond the intent of a client key. */
export function outside(path: readonly string[], problem: string): ApiError {
  const [name = '', ...groups] = path.toReversed()
  const details = detailsUnder(groups.reverse(), { [name]: problem })
  const { description } = invalidAttributes(details)
  return new ApiError('Forbidden', `The client key does not allow ${description}`, details)
}
