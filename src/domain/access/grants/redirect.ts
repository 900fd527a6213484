import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { resources } from '../../../resources/resource-table.js'
import { webAddressProblem } from '../../../schema/web-address.js'

/** Rule of the redirect addresses and origins that applications register. See docs/oauth.md. */
export const oauthRedirectRule: Rule<typeof resources.oauth_redirect> = {
  async create(work, input) {
    const { org_id: orgId, uri, kind } = input
    const problem = uri && webAddressProblem(uri, kind ?? 'redirect')
    if (problem) throw invalidAttributes({ uri: problem })
    if (orgId) {
      // Two concurrent requests would not see each other's row.
      await waitForName(work.tx, `redirects of ${orgId}`)
      const known = await work.findBy(resources.oauth_redirect, 'org_id', orgId)
      if (known.some((each) => each.uri === uri && each.kind === (kind ?? 'redirect')))
        throw invalidAttributes({ uri: 'Is registered already' })
    }
    return await work.createPlainly(resources.oauth_redirect, { ...input })
  },
}
