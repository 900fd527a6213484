import type { Minor } from '../../../schema/money.js'
import type { Method } from '../../../schema/resource.js'
import type { Role } from '../../../schema/role.js'
import type { Input } from '../../../schema/types.js'
import { invalidAttributes } from './api-error.js'

/** Who makes a request, and what they may do. */
export interface Principal {
  /**
   * `system`: the service of its own accord. `operator`: a person. A client key is public: it is part of a page, and creates
   * one object at a time.
   */
  readonly kind: 'system' | 'operator' | 'key' | 'client'
  /** The id of the key or operator; `system`; `owner` for whoever works in a home of their own and has no name there. */
  readonly id: string
  /** The role of an operator, which bounds what they do; undefined: no bound. */
  readonly role?: Role
  /** The most that an operator moves by one request, and in a day; undefined: no bound. */
  readonly limits?: OperatorLimits
  /** Id of the key by which an operator works who has no session. */
  readonly token?: string
  /** May do what operators do: settings, limits, statuses, `/admin`. */
  readonly manage: boolean
  /** Processing accounts that the principal is narrowed to; undefined: all of the environment. */
  readonly processingIds?: readonly string[]
  /** Paths of what a client key creates inside of what it is granted to create, and not by itself. */
  readonly parts?: readonly string[]
  /** Methods by path segment that the principal is narrowed to; undefined: all. */
  readonly grants?: Readonly<Record<string, readonly Method[]>>
  /**
   * The address, or its network, from which a client pays; undefined if it is not known, as behind a proxy that is not
   * trusted.
   */
  readonly address?: string | undefined
  /** Device of a client that pays on a page, which a mandate names; undefined if it is not known. */
  readonly device?: ClientDevice | undefined
  /** What a client key was made for: attributes of what it creates, as they are stored. */
  readonly intent?: Readonly<Input>
  /** Attributes that answers to it have; undefined: those that it requests. */
  readonly shown?: readonly string[]
  /** Origins of the pages that may use a client key; undefined: any. */
  readonly origins?: readonly string[]
}

/** IP address and `User-Agent` of a payer. */
export interface ClientDevice {
  readonly address: string
  readonly browser: string
}

/** Amounts in minor units. */
export interface OperatorLimits {
  readonly each: Minor | null
  readonly day: Minor | null
}

/** The service, for what it does without a request, or records of its own accord. */
export const system: Principal = { kind: 'system', id: 'system', manage: true }

/** Whoever works at a terminal in a home of their own, and is no operator with a name. */
export const owner: Principal = { kind: 'operator', id: 'owner', manage: true, role: 'owner' }

/** Whether a role bounds a principal: an owner without limits may do everything. */
export function isBoundByRole({ role, limits }: Principal): boolean {
  return role !== undefined && (role !== 'owner' || isLimited(limits))
}

/** Whether an operator may move only so much. */
export function isLimited(limits: OperatorLimits | undefined): boolean {
  return typeof limits?.each === 'number' || typeof limits?.day === 'number'
}

/** Whether a principal is nobody with rights of their own that may change or end: the service, and the owner of a home. */
export function isUnbound({ kind, id }: Principal): boolean {
  return kind === 'system' || (kind === 'operator' && id === owner.id)
}

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
