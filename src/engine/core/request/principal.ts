import type { Minor } from '../../../schema/money.js'
import type { Method } from '../../../schema/resource.js'
import type { Role } from '../../../schema/role.js'
import type { Input } from '../../../schema/types.js'
import { invalidAttributes } from './api-error.js'

/** Author of a request, with their permissions. */
export interface Principal {
  /**
   * `system`: the service itself. `operator`: a person. `key`: an API key. `client`: a client key, which is
   * public because it is part of a page; it creates one object at a time.
   */
  readonly kind: 'system' | 'operator' | 'key' | 'client'
  /**
   * Id of the key or operator, or `system`. It is `owner` for a person who works at the terminal in their own
   * home folder and is not a named operator.
   */
  readonly id: string
  /** Role of an operator, which limits their permissions; undefined: no limit. */
  readonly role?: Role
  /** Maximum amounts that an operator may move in one request and in one day; undefined: no limit. */
  readonly limits?: OperatorLimits
  /** Id of the API key of an operator who works without a session. */
  readonly token?: string
  /** Whether the principal may change what operators manage: settings, limits, statuses, `/admin`. */
  readonly manage: boolean
  /**
   * Ids of the processing accounts that the principal is restricted to; undefined: all accounts of the
   * environment.
   */
  readonly processingIds?: readonly string[]
  /**
   * Paths of resources that a client key may create only as nested parts of other objects, never by
   * themselves.
   */
  readonly parts?: readonly string[]
  /** Allowed methods by path segment; undefined: all. */
  readonly grants?: Readonly<Record<string, readonly Method[]>>
  /**
   * IP address, or its network, of a paying client; undefined if it is not known, for example behind an
   * untrusted proxy.
   */
  readonly address?: string | undefined
  /** Device of a client that pays on a page, recorded in its mandate; undefined if it is not known. */
  readonly device?: ClientDevice | undefined
  /**
   * Attributes that were fixed when a client key was made, as stored. Objects created with the key get
   * them.
   */
  readonly intent?: Readonly<Input>
  /** Attributes that answers to the principal contain; undefined: those that the request selects. */
  readonly shown?: readonly string[]
  /** Origins of the pages that may use a client key; undefined: any. */
  readonly origins?: readonly string[]
}

/** IP address and `User-Agent` of a payer. */
export interface ClientDevice {
  readonly address: string
  readonly browser: string
}

/** Limits of an operator, in minor units; null: no limit. */
export interface OperatorLimits {
  readonly each: Minor | null
  readonly day: Minor | null
}

/** Principal of the service itself, for work without a request. */
export const system: Principal = { kind: 'system', id: 'system', manage: true }

/** Principal of a person who works at the terminal in their own home folder and is not a named operator. */
export const owner: Principal = { kind: 'operator', id: 'owner', manage: true, role: 'owner' }

/** Whether a role or limits restrict a principal. An owner without limits may do everything. */
export function isBoundByRole({ role, limits }: Principal): boolean {
  return role !== undefined && (role !== 'owner' || isLimited(limits))
}

/** Whether an operator has a limit on the amounts they move. */
export function isLimited(limits: OperatorLimits | undefined): boolean {
  return typeof limits?.each === 'number' || typeof limits?.day === 'number'
}

/**
 * Whether the rights of a principal can neither change nor end: true for the service and for the owner of a
 * home.
 */
export function isUnbound({ kind, id }: Principal): boolean {
  return kind === 'system' || (kind === 'operator' && id === owner.id)
}

/**
 * Id of the processing account that a new object belongs to: the named account, else the only account of a
 * restricted principal. Null if an unrestricted principal names none. Throws `InvalidAttributes`
 * (`Required`) if the principal is restricted to several accounts and names none.
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
