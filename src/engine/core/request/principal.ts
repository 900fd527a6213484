import type { Method } from '../../../schema/resource.js'
import type { Input } from '../../../schema/types.js'
import { invalidAttributes } from './api-error.js'

/** Who makes a request, and what they may do. */
export interface Principal {
  /** A client key is public: it is part of a page, and creates one object at a time. */
  readonly kind: 'operator' | 'key' | 'client'
  /** The key's id; `operator` at the terminal. */
  readonly id: string
  /** May do what operators do: settings, limits, statuses, `/admin`. */
  readonly manage: boolean
  /** Processing accounts that the principal is narrowed to; undefined: all of the environment. */
  readonly processingIds?: readonly string[]
  /** Methods by path segment that the principal is narrowed to; undefined: all. */
  readonly grants?: Readonly<Record<string, readonly Method[]>>
  /**
   * The address, or its network, from which a client pays; undefined if it is not known, as behind a proxy that is not
   * trusted.
   */
  readonly address?: string | undefined
  /** What a client key was made for: attributes of what it creates, as they are stored. */
  readonly intent?: Readonly<Input>
  /** Attributes that answers to it have; undefined: those that it requests. */
  readonly shown?: readonly string[]
  /** Origins of the pages that may use a client key; undefined: any. */
  readonly origins?: readonly string[]
}

/** Anybody at the terminal of the machine that holds the database. */
export const operator: Principal = { kind: 'operator', id: 'operator', manage: true }

/**
 * The processing account that a new object belongs to: the named one, else the only one of a narrowed key; null where a
 * principal that is not narrowed names none. Throws `InvalidAttributes`, `Required`, for one that is narrowed
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
