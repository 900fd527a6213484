import { invalidAttributes } from './errors.js'
import type { Principal } from './principal.js'

/**
 * The processing account that a new object belongs to: the one that is named, else a narrowed key's only one. Nothing
 * where a principal that is not narrowed names none. Throws `InvalidAttributes`, `Required`, for one that is narrowed
 * to several.
 */
export function ownAccount(
  { processingIds }: Principal,
  named: string | null | undefined,
  attribute: 'processing_id' | 'primary_processing_id' = 'processing_id',
): string | null {
  if (named) return named
  if (!processingIds) return null
  const [only] = processingIds
  if (only === undefined || processingIds.length > 1) throw invalidAttributes({ [attribute]: 'Required' })
  return only
}
