import type { Environment } from '../../engine/store/database/store.js'

/**
 * Problem of an address that notifications cannot be sent to; undefined if they can. The address that a name resolves
 * to is checked at each request, as it may change.
 */
export function addressProblem(environment: Environment, address: string): string | undefined {
  // Parsers read blanks, backslashes and a missing slash differently, so all of these are refused.
  if (!/^https?:\/\/[^\s\\/?#]/i.test(address) || /[\s\\]/.test(address) || !URL.canParse(address)) {
    return 'Must be an http or https address'
  }
  const { protocol, username, password } = new URL(address)
  if (username !== '' || password !== '') return 'Must not hold a user name or password'
  return environment === 'live' && protocol !== 'https:' ? 'Must be an https address in live' : undefined
}

/** Receiver of an address: webhooks of one host and port share the limit of attempts. */
export function receiverOf(url: string | null): string {
  return URL.canParse(url ?? '') ? new URL(url ?? '').origin : ''
}
