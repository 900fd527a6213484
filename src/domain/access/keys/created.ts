import type { Principal } from '../../../engine/core/request/principal.js'
import { resources } from '../../../resources/resource-table.js'
import type { Resource } from '../../../schema/resource.js'
import { reaches } from '../../../schema/role.js'

/** Paths at which client keys create objects. */
export type Created = 'transactions' | 'payment_methods' | 'processing_accounts'

/** Objects that a client key creates at a path. */
interface Creation {
  /** The resource of the path, and those that are created only inside of it. */
  readonly resources: readonly Resource[]
  /** Attributes of a created object that a page may see; undefined means all. */
  readonly shown?: readonly string[]
}

/** Objects that client keys create, by path. */
export const CREATIONS: Readonly<Record<Created, Creation>> = {
  transactions: { resources: [resources.transaction] },
  // Attributes of the method's owner are not shown.
  payment_methods: {
    resources: [resources.payment_method],
    shown: ['object', 'id', 'type', 'description', 'card', 'bank_account', 'next_action', 'created_at'],
  },
  processing_accounts: {
    resources: [
      resources.processing_account,
      resources.legal_entity,
      resources.legal_entity_owner,
      resources.payment_method,
    ],
    shown: ['object', 'id', 'name', 'status', 'created_at'],
  },
}

/**
 * Paths to which pages of shops send requests themselves. Processing accounts are set up on a page of the service
 * instead.
 */
export const PAGE_PATHS: readonly Created[] = ['transactions', 'payment_methods']

export function isCreated(path: string): path is Created {
  return Object.hasOwn(CREATIONS, path)
}

/** Whether the grants and the role of the maker of a client key let it create objects of a resource. */
export function mayCreate(
  { grants, role }: Pick<Principal, 'grants' | 'role'>,
  { plural, least }: Resource,
): boolean {
  const isGranted = grants === undefined || grants[plural]?.includes('POST') === true
  return isGranted && (role === undefined || reaches(role, least))
}
