import type { Rule } from '../../../engine/core/write/work.js'
import { revokeGrant } from './tokens.js'

/** Deleting a grant revokes it: its tokens are refused at once, and it stays listed. */
export const oauthGrantRule: Rule<'oauth_grant'> = {
  async delete(work, row) {
    if (row.status !== 'revoked') await revokeGrant(work, row.id)
  },
}
