import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { withDetailPath } from '../../../engine/core/request/error-details.js'
import { validatedPlain } from '../../../engine/core/write/input.js'
import { transaction } from '../../../resources/transaction.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import { money, ref } from '../../../schema/field.js'
import { type Input, isTree } from '../../../schema/types.js'

/** What an intent may fix of the payment that its client key makes. */
const { customer_id, processing_id, payment_link_id, description, order_number } = transaction.fields
const FIXABLE = {
  amount: money({ sign: 'positive' }),
  customer_id,
  processing_id,
  payment_link_id,
  description,
  order_number,
  invoice_id: ref('invoice'),
} satisfies PlainFields

/**
 * The other form of an intent: the kind of page that it is for, with what it fixes inside. Those of a checkout hold
 * options of the page beside it.
 */
const KINDS: Readonly<Record<string, 'form' | 'checkout' | 'other'>> = {
  payment_form: 'form',
  checkout_plugin: 'checkout',
  checkout_page: 'checkout',
  payment_method_form: 'other',
  processing_account_plugin: 'other',
  oauth_client_token: 'other',
}

/**
 * What an intent fixes of payments, as it is stored; nothing when it is for something else than paying. Throws
 * `InvalidAttributes` on what cannot be understood: a misspelt bound must not be ignored.
 */
export async function fixedBy(intent: unknown): Promise<Input | undefined> {
  if (intent === undefined || intent === null) return {}
  if (!isTree(intent)) throw invalidAttributes({ intent: 'Must be an object' })
  const [name = '', ...others] = Object.keys(intent)
  const kind = others.length === 0 && Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (kind === undefined) return await fixedIn(intent, [])
  if (kind === 'other') return undefined
  const inner = intent[name] ?? {}
  if (!isTree(inner)) throw invalidAttributes({ intent: { [name]: 'Must be an object' } })
  if (kind === 'checkout') {
    const known = Object.entries(inner).filter(([key]) => Object.hasOwn(FIXABLE, key))
    return await fixedIn(Object.fromEntries(known), [name])
  }
  const misspelt = Object.keys(inner).find((key) => key !== 'payment')
  if (misspelt !== undefined)
    throw invalidAttributes({ intent: { [name]: { [misspelt]: 'Unknown attribute' } } })
  return await fixedIn(inner.payment ?? {}, [name, 'payment'])
}

async function fixedIn(values: unknown, path: readonly string[]): Promise<Input> {
  const fixed = await withDetailPath(['intent', ...path], async () => validatedPlain(FIXABLE, values))
  return Object.fromEntries(
    Object.entries(fixed).filter(([, value]) => value !== undefined && value !== null),
  )
}
