import { authorize } from '../../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { withDetailPath } from '../../../engine/core/request/error-details.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import type { TransactionInput } from './new-transaction.js'

type RelatedName = 'customer' | 'payment_method' | 'processing' | 'reader'
type RelatedId = 'customer_id' | 'payment_method_id' | 'processing_id' | 'reader_id'

/**
 * The id of an existing related object, sent as its id or as an object with its id. An existing object is changed at
 * its own path, not by a payment. Throws `InvalidAttributes` when the two disagree.
 */
export function namedId(
  input: TransactionInput,
  name: RelatedName,
  attribute: RelatedId,
): string | undefined {
  const named = input[attribute] ?? undefined
  const tree = input[name]
  if (!tree || typeof tree.id !== 'string') return named
  if (named !== undefined && named !== tree.id)
    throw invalidAttributes({ [attribute]: `Must be the id of ${name}` })
  const others = Object.keys(tree).filter(
    (key) => key !== 'id' && key !== 'object' && !isCardCode(name, key, tree[key]),
  )
  if (others.length > 0) {
    throw invalidAttributes({
      [name]: Object.fromEntries(others.map((key) => [key, 'Can be changed at its own path only'])),
    })
  }
  return tree.id
}

/** The id of the account or reader that a transaction names, or that is created with it. Throws `InvalidAttributes`. */
export async function relatedId(
  work: Work,
  input: TransactionInput,
  name: 'processing' | 'reader',
  attribute: RelatedId,
): Promise<string | undefined> {
  const tree = newRelated(input, name)
  if (!tree) return namedId(input, name, attribute)
  if (input[attribute]) throw invalidAttributes({ [name]: `Must not be sent with ${attribute}` })
  const target = name === 'processing' ? resources.processing_account : resources.reader
  authorize(work.principal, 'POST', target)
  return (await withDetailPath([name], () => work.create(target, tree))).id
}

/** The object to be created with the transaction: one that was sent without an id. */
export function newRelated(input: TransactionInput, name: RelatedName) {
  const tree = input[name]
  return tree && typeof tree.id !== 'string' ? tree : undefined
}

/** The CVV of a payment by card, which may be at either of two places. It is used once and never stored. */
export function cardCodeOf(input: TransactionInput): string | undefined {
  const card = input.payment_method?.card
  const inner = typeof card === 'object' && card !== null && 'card_code' in card ? card.card_code : undefined
  return input.card_code ?? (typeof inner === 'string' ? inner : undefined)
}

function isCardCode(name: RelatedName, key: string, value: unknown): boolean {
  if (name !== 'payment_method' || key !== 'card' || typeof value !== 'object' || value === null) return false
  return Object.keys(value).every((inner) => inner === 'card_code')
}

/**
 * The card reader that a transaction names: an active one of its processing account. Null when it names none.
 * Throws `InvalidAttributes`.
 */
export async function readerOf(
  work: Work,
  input: TransactionInput,
  processingId: string | null,
): Promise<string | null> {
  const id = await relatedId(work, input, 'reader', 'reader_id')
  if (id === undefined) return null
  const reader = await work.find(resources.reader, id)
  if (!reader) throw invalidAttributes({ reader_id: 'Not found' })
  if (reader.processing_id !== processingId)
    throw invalidAttributes({ reader_id: 'Belongs to another processing account' })
  if (reader.status !== 'active') throw invalidAttributes({ reader_id: `The reader is ${reader.status}` })
  return id
}
