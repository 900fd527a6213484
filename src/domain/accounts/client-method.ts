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
 * Restricts a payment method of a client key to what a page may send, and completes it by what the key's intent fixes.
 * `path` is that of the method in the input. Throws `Forbidden`, which names the attributes beyond the intent.
 */
export function boundMethod(method: MethodInput, fixed: unknown, path: readonly string[]): MethodInput {
  const intent = isTree(fixed) ? fixed : {}
  // True is its default: the page need not have sent it.
  const sent = method.keep_active === 1 ? { ...method, keep_active: undefined } : method
  refuseBeyond(sent, { free: METHOD, intent, path })
  return Object.assign({}, method, intent)
}

/** Input of a payment method as its rule takes it: that of a client key is bound by the key's intent. */
export function clientMethod(principal: Principal, input: MethodInput): MethodInput {
  const isOwnPath = principal.kind === 'client' && principal.grants?.payment_methods !== undefined
  return isOwnPath ? boundMethod(input, principal.intent, []) : input
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

/** The refusal of an attribute beyond the intent of a client key. */
export function outside(path: readonly string[], problem: string): ApiError {
  const [name = '', ...groups] = path.toReversed()
  const details = detailsUnder(groups.reverse(), { [name]: problem })
  const { description } = invalidAttributes(details)
  return new ApiError('Forbidden', `The client key does not allow ${description}`, details)
}
