import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { withDetailPath } from '../../../engine/core/request/error-details.js'
import { validatedPlain } from '../../../engine/core/write/input.js'
import { transaction } from '../../../resources/transaction.js'
import type { PlainFields } from '../../../schema/admin-operation.js'
import { money, ref } from '../../../schema/field.js'
import type { Registry } from '../../../schema/registry.js'
import { type Input, isTree } from '../../../schema/types.js'

/** Attributes of a payment that an intent may fix for its client key. */
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
 * Kinds of page that an intent may name, with the fixed attributes inside. The kinds of a checkout have options of
 * the page beside them.
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
 * Attributes of payments that an intent fixes, as they are stored; undefined if the intent is not for payments.
 * Throws `InvalidAttributes` for anything unknown, as a misspelt bound must not be ignored.
 */
export async function fixedBy(registry: Registry, intent: unknown): Promise<Input | undefined> {
  if (intent === undefined || intent === null) return {}
  if (!isTree(intent)) throw invalidAttributes({ intent: 'Must be an object' })
  const [name = '', ...others] = Object.keys(intent)
  const kind = others.length === 0 && Object.hasOwn(KINDS, name) ? KINDS[name] : undefined
  if (kind === undefined) return await fixedIn(registry, intent, [])
  if (kind === 'other') return undefined
  const inner = intent[name] ?? {}
  if (!isTree(inner)) throw invalidAttributes({ intent: { [name]: 'Must be an object' } })
  if (kind === 'checkout') {
    const known = Object.entries(inner).filter(([key]) => Object.hasOwn(FIXABLE, key))
    return await fixedIn(registry, Object.fromEntries(known), [name])
  }
  const misspelt = Object.keys(inner).find((key) => key !== 'payment')
  if (misspelt !== undefined)
    throw invalidAttributes({ intent: { [name]: { [misspelt]: 'Unknown attribute' } } })
  return await fixedIn(registry, inner.payment ?? {}, [name, 'payment'])
}

async function fixedIn(registry: Registry, values: unknown, path: readonly string[]): Promise<Input> {
  const fixed = await withDetailPath(['intent', ...path], async () =>
    validatedPlain(registry, FIXABLE, values),
  )
  return Object.fromEntries(
    Object.entries(fixed).filter(([, value]) => value !== undefined && value !== null),
  )
}
