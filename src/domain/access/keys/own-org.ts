import { ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { Tx } from '../../../engine/store/database/store.js'
import { resources } from '../../../resources/resource-table.js'

/**
 * The organization of a secret key: the one that it was made for, else the first that was ever made in the
 * environment. Undefined once that first one is deleted; no other replaces it.
 */
export async function orgOfKey(tx: Tx, keyId: string): Promise<string | undefined> {
  const [key] = await tx.run(orgById, { keyId })
  if (!key) return undefined
  if (key.org_id !== null) return key.org_id
  const [first] = await tx.run(firstOrg, {})
  return first?.deleted_at === null ? first.id : undefined
}

/**
 * The organization of a new key: the requested one, unless the maker is a key of one organization; null means the
 * environment's own.
 */
export async function orgOfNewKey(work: Work, requested: string | null | undefined): Promise<string | null> {
  const { kind, id } = work.principal
  const [maker] = kind === 'operator' ? [] : await work.tx.run(orgById, { keyId: id })
  const bound = maker?.org_id ?? null
  if (bound !== null && requested && requested !== bound)
    throw new ApiError('Forbidden', 'A key cannot give more than it has: [org_id]', {
      org_id: `Must be ${bound}`,
    })
  if (requested && !(await work.find(resources.org, requested)))
    throw invalidAttributes({ org_id: 'Not found' })
  return requested ?? bound
}

const orgById = prepared<{ keyId: string }, { org_id: string | null }>((db, param) =>
  db.selectFrom('admin_keys').select('org_id').where('id', '=', param('keyId')),
)

const firstOrg = prepared<object, { id: string; deleted_at: string | null }>((db) =>
  db.selectFrom('orgs').select(['id', 'deleted_at']).orderBy('created_at').orderBy('id').limit(1),
)
