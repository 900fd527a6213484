/** A loopback address, in front of and behind its port. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?((?:\/.*)?)$/

/** A name or address, without signs that a list or a policy of pages would take for something else. */
const PLAIN_HOST = /^[\w.:[\]-]+$/

/**
 * Problem of an address to which browsers are sent, or of an origin; undefined if there is none. Only the form in
 * which browsers write an address is accepted.
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

/** Whether an address is a registered one, to the letter; on loopback the port may be any. RFC 8252, section 7.3. */
export function isRegistered(registered: string, given: string): boolean {
  if (registered === given) return true
  const [, host, rest] = LOOPBACK.exec(registered) ?? []
  const [, givenHost, givenRest] = LOOPBACK.exec(given) ?? []
  return host !== undefined && host === givenHost && rest === givenRest && URL.canParse(given)
}
