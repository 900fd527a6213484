import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Rule } from '../../engine/core/write/work.js'
import { waitForName } from '../../engine/store/database/differences.js'
import { resources } from '../../resources/resource-table.js'

/**
 * Rule of account access. Spec: "Org", nested `/orgs/{id}/account_access`. Access is granted once, and not to an
 * organization's own accounts.
 */
export const accountAccessRule: Rule<typeof resources.account_access> = {
  async create(work, input) {
    const { org_id: orgId, account_id: accountId } = input
    if (orgId && accountId) {
      // Two concurrent requests would not see each other's grant.
      await waitForName(work.tx, `access of ${orgId}`)
      const account = await work.find(resources.processing_account, accountId)
      if (account?.parent_org_id === orgId)
        throw invalidAttributes({ account_id: 'Belongs to the organization' })
      const granted = await work.findBy(resources.account_access, 'org_id', orgId)
      if (granted.some((access) => access.account_id === accountId))
        throw invalidAttributes({ account_id: 'The organization may reach it already' })
    }
    return await work.createPlainly(resources.account_access, { ...input })
  },
}
