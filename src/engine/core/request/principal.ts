import type { Input } from '../../../schema/types.js'
import type { Method } from './method.js'

/** Who asks, and what they may do. */
export interface Principal {
  /** A client key is publishable: it stands in a page, and creates one object at a time. */
  readonly kind: 'operator' | 'key' | 'client'
  /** The key's id; `operator` at the terminal. */
  readonly id: string
  /** May do what operators do: settings, limits, statuses, `/admin`. */
  readonly manage: boolean
  /** Processing accounts that the principal is narrowed to; nothing: all of the environment. */
  readonly processingIds?: readonly string[]
  /** Verbs by path segment that the principal is narrowed to; nothing: all. */
  readonly grants?: Readonly<Record<string, readonly Method[]>>
  /** What a client key was made for: attributes of what it creates, as they are stored. */
  readonly intent?: Readonly<Input>
}

/** Whoever sits at the terminal of the machine that holds the database. */
export const operator: Principal = { kind: 'operator', id: 'operator', manage: true }
