import type { Principal } from '../../../engine/core/request/principal.js'
import { METHODS, type Method } from '../../../schema/resource.js'

export type Grants = Readonly<Record<string, readonly Method[]>>

/** Permissions of a key, and when they end. An omitted property means no limit. */
export interface Permissions {
  readonly manage: boolean
  readonly processingIds?: readonly string[]
  readonly grants?: Grants
  /** Datetime from when the key is refused. */
  readonly expiresAt?: string | null
}

/** The columns of a key's row that hold permissions. */
export interface PermissionColumns {
  readonly manage: number | null
  readonly processing_ids: string | null
  readonly grants: string | null
  readonly expires_at: string | null
}

/** The attributes in which requested permissions exceed those of their maker. */
export function exceeding(maker: Permissions, requested: Permissions): string[] {
  const { processingIds, grants, expiresAt } = maker
  const beyond: string[] = []
  if (requested.manage && !maker.manage) beyond.push('manage')
  if (processingIds && !requested.processingIds?.every((id) => processingIds.includes(id))) {
    beyond.push('processing_ids')
  }
  if (grants && !(requested.grants && isCovered(requested.grants, grants))) beyond.push('grants')
  if (expiresAt && !(requested.expiresAt && requested.expiresAt <= expiresAt)) beyond.push('expires_at')
  return beyond
}

function isCovered(requested: Grants, grants: Grants): boolean {
  return Object.entries(requested).every(([segment, methods]) =>
    methods.every((method) => grants[segment]?.includes(method)),
  )
}

export function permissionColumns(permissions: Permissions): PermissionColumns {
  const { manage, processingIds, grants, expiresAt } = permissions
  return {
    manage: Number(manage),
    processing_ids: processingIds ? JSON.stringify(processingIds) : null,
    grants: grants ? JSON.stringify(grants) : null,
    expires_at: expiresAt ?? null,
  }
}

/** The permissions in a row. A stored list that cannot be parsed permits no object. */
export function permissionsOf(row: PermissionColumns): Permissions {
  return {
    manage: row.manage === 1,
    processingIds: row.processing_ids === null ? undefined : (textsOf(JSON.parse(row.processing_ids)) ?? []),
    grants: row.grants === null ? undefined : storedGrants(JSON.parse(row.grants)),
    expiresAt: row.expires_at,
  }
}

function storedGrants(value: unknown): Grants {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).map(([segment, written]) => {
      const verbs = textsOf(written) ?? []
      return [segment, METHODS.filter((method) => verbs.includes(method))]
    }),
  )
}

/** The principal of a key with these permissions. */
export function principalOf(id: string, { manage, processingIds, grants }: Permissions): Principal {
  return { kind: 'key', id, manage, processingIds, grants }
}

/** A list of texts: as JSON, as a form's `{"0": …}`, or as one text with commas. Undefined for any other value. */
export function textsOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(',').map((part) => part.trim())
  if (typeof value !== 'object' || value === null) return undefined
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value)
  const texts = items.filter((item) => typeof item === 'string')
  return texts.length === items.length ? texts : undefined
}
