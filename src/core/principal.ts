import type { Method } from './method.js'

/** Who asks, and what they may do. */
export interface Principal {
  readonly kind: 'operator' | 'key'
  /** The key's id; `operator` at the terminal. */
  readonly id: string
  /** May do what operators do: settings, limits, statuses, `/admin`. */
  readonly manage: boolean
  /** Processing accounts that the principal is narrowed to; nothing: all of the environment. */
  readonly processingIds?: readonly string[]
  /** Verbs by path segment that the principal is narrowed to; nothing: all. */
  readonly grants?: Readonly<Record<string, readonly Method[]>>
}

/** Whoever sits at the terminal of the machine that holds the database. */
export const operator: Principal = { kind: 'operator', id: 'operator', manage: true }
