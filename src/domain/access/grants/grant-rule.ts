import type { Rule } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { Runs } from '../../../engine/store/database/store.js'
import type { AccountRow, OauthGrantRow } from '../../../engine/store/database/tables.js'
import type { resources } from '../../../resources/resource-table.js'
import { textsOf } from '../keys/permissions.js'
import { revokeGrant } from './grant-tokens.js'

/**
 * The processing accounts to which a grant now gives access: those that still belong to the organization. With the
 * scope `processing`, only those that the user chose. See docs/oauth.md.
 */
export async function grantedAccounts(
  database: Runs,
  { org_id, scope, processing_ids }: Pick<OauthGrantRow, 'org_id' | 'scope' | 'processing_ids'>,
): Promise<readonly AccountRow[]> {
  if (org_id === null) return []
  const own = await database.run(wholeAccountsOf, { orgId: org_id })
  if (scope === 'org') return own
  const ticked = textsOf(JSON.parse(processing_ids ?? '[]')) ?? []
  return own.filter(({ id }) => ticked.includes(id))
}

const wholeAccountsOf = prepared<{ orgId: string }, AccountRow>((db, param) =>
  db
    .selectFrom('accounts')
    .selectAll()
    .where('parent_org_id', '=', param('orgId'))
    .where('type', '=', 'processing')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id'),
)

export const grantById = prepared<{ id: string }, OauthGrantRow>((db, param) =>
  db
    .selectFrom('admin_oauth_grants')
    .selectAll()
    .where('id', '=', param('id'))
    .where('deleted_at', 'is', null),
)

/** A processing account as a page shows it. */
export interface ShownAccount {
  readonly id: string
  readonly name: string
}

/** The processing accounts of an organization, by name. */
export const accountsOf = prepared<{ orgId: string }, ShownAccount>((db, param) =>
  db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('parent_org_id', '=', param('orgId'))
    .where('type', '=', 'processing')
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id'),
)

/** Deleting a grant revokes it: its tokens are refused at once, and it stays listed. */
export const oauthGrantRule: Rule<typeof resources.oauth_grant> = {
  async delete(work, row) {
    if (row.status !== 'revoked') await revokeGrant(work, row.id)
  },
}
