import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule } from '../../../engine/core/write/work.js'
import { waitForName } from '../../../engine/store/database/differences.js'
import { resources } from '../../../resources/resource-table.js'

/** A loopback address, in front of and behind its port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:\/.*)?)$/

/** Addresses and origins of applications. Money: "OAuth". */
export const oauthRedirectRule: Rule<typeof resources.oauth_redirect> = {
  async create(work, input) {
    const { org_id: orgId, uri, kind } = input
    const problem = uri && uriProblem(uri, kind ?? 'redirect')
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

/**
 * Problem of an address that cannot be registered; undefined if it can. Only the form in which browsers write an
 * address is accepted.
 */
function uriProblem(uri: string, kind: 'redirect' | 'origin'): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url) return 'Must be an address, as in https://app.example.com/done'
  if (url.protocol !== 'https:' && !LOOPBACK.test(uri)) return 'Must begin with https://, or be on loopback'
  if (url.username !== '' || url.password !== '' || uri.includes('#'))
    return 'Must have no user name and no fragment'
  if (kind === 'origin') return uri === url.origin ? undefined : `Must be an origin: ${url.origin}`
  return uri === url.href ? undefined : `Must be written as ${url.href}`
}

/** Whether an address is a registered one, to the letter; on loopback the port may be any. RFC 8252, section 7.3. */
export function isRegistered(registered: string, given: string): boolean {
  if (registered === given) return true
  const [, host, rest] = LOOPBACK.exec(registered) ?? []
  const [, givenHost, givenRest] = LOOPBACK.exec(given) ?? []
  return host !== undefined && host === givenHost && rest === givenRest && URL.canParse(given)
}
