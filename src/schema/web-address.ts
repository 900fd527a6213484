/** Matches a loopback address, with its parts before and after the port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:\/.*)?)$/

/**
 * Matches a host name or address without characters that have a meaning in lists or in a page's security
 * policy.
 */
const PLAIN_HOST = /^[\w.:[\]-]+$/

/**
 * Problem of an origin, or of an address to which browsers are redirected; undefined if there is none. Only
 * the form in which browsers write an address is accepted.
 */
export function webAddressProblem(text: string, kind: 'redirect' | 'origin'): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url) return 'Must be an address, as in https://app.example.com/done'
  if (url.protocol !== 'https:' && !LOOPBACK.test(text)) return 'Must begin with https://, or be on loopback'
  if (url.username !== '' || url.password !== '' || text.includes('#'))
    return 'Must have no user name and no fragment'
  if (!PLAIN_HOST.test(url.hostname)) return 'Must name one host, without wildcards'
  if (kind === 'origin') return text === url.origin ? undefined : `Must be an origin: ${url.origin}`
  return text === url.href ? undefined : `Must be written as ${url.href}`
}

/**
 * Whether an address equals a registered address exactly. On loopback the port may differ. RFC 8252, section
 * 7.3.
 */
export function isRegistered(registered: string, given: string): boolean {
  if (registered === given) return true
  const [, host, rest] = LOOPBACK.exec(registered) ?? []
  const [, givenHost, givenRest] = LOOPBACK.exec(given) ?? []
  return host !== undefined && host === givenHost && rest === givenRest && URL.canParse(given)
}
