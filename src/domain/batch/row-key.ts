import type { Vault } from '../../engine/store/vault/vault.js'
import type { Json } from '../../schema/json.js'

/** What a row is known by: nothing of its place in the file, which may change. */
export interface RowContent {
  readonly batchId: string
  readonly kind: string
  readonly body: Json
  /** Which row of this content it is. */
  readonly occurrence: number
}

/**
 * The name that a row has for good: the same content, however its attributes are ordered, is the same row. Keyed, as
 * the content may be a card number.
 */
export function rowKey({ batchId, kind, body, occurrence }: RowContent, vault: Vault): string {
  return vault.hash(JSON.stringify([batchId, kind, ordered(body), occurrence]), 'batch_row')
}

/** A digest of a file as it is kept, likewise. */
export function contentKey(digest: string, vault: Vault): string {
  return vault.hash(digest, 'batch_content')
}

function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).map(([name, inner]): [string, Json] => [name, ordered(inner)])
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
