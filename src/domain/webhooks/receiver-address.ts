import type { Environment } from '../../engine/store/database/store.js'

/**
 * Why notifications cannot be sent to an address; nothing when they can. What a name resolves to is checked at each
 * request, not here: it may have changed by then.
 */
export function addressProblem(environment: Environment, address: string): string | undefined {
  // What parsers read differently (blanks, backslashes, a missing slash) is refused.
  if (!/^https?:\/\/[^\s\\/?#]/i.test(address) || /[\s\\]/.test(address) || !URL.canParse(address)) {
    return 'Must be an http or https address'
  }
  const { protocol, username, password } = new URL(address)
  if (username !== '' || password !== '') return 'Must not hold a user name or password'
  return environment === 'live' && protocol !== 'https:' ? 'Must be an https address in live' : undefined
}

/** Whom an address belongs to: webhooks of one host and port share what may be attempted at once. */
export function receiverOf(url: string | null): string {
  return URL.canParse(url ?? '') ? new URL(url ?? '').origin : ''
}
