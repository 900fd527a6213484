import { ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import { isUnbound } from '../../../engine/core/request/principal.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { ApiKeyRow, OrgRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { expectSealed } from '../seals/not-as-sealed.js'

/**
 * The organization of a secret key: the one that the key was made for, else the first that was ever made in the
 * environment. Undefined if that first organization was deleted: no other takes its place. Throws `NotAsSealed`.
 */
export async function orgOfKey(work: Work, keyId: string): Promise<string | undefined> {
  const [key] = await work.tx.run(wholeKeyById, { keyId })
  if (!key) return undefined
  await expectSealed(work, 'admin_keys', key)
  if (key.org_id !== null) return key.org_id
  const [first] = await work.tx.run(firstOrg, {})
  if (!first) return undefined
  await expectSealed(work, 'orgs', first)
  return first.deleted_at === null ? first.id : undefined
}

/**
 * The organization of a new key: the requested one, unless the maker is a key of one organization. Null means the
 * first organization of the environment.
 */
export async function orgOfNewKey(work: Work, requested: string | null | undefined): Promise<string | null> {
  const { principal } = work
  const [maker] = isUnbound(principal) ? [] : await work.tx.run(orgById, { keyId: principal.id })
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

const wholeKeyById = prepared<{ keyId: string }, ApiKeyRow>((db, param) =>
  db.selectFrom('admin_keys').selectAll().where('id', '=', param('keyId')),
)

const firstOrg = prepared<object, OrgRow>((db) =>
  db.selectFrom('orgs').selectAll().orderBy('created_at').orderBy('id').limit(1),
)
