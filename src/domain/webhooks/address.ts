import type { Environment } from '../../engine/store/database/store.js'

/**
 * Why notifications cannot be sent to an address; nothing when they can. Where a name leads is looked at when it is
 * called, not here: it may lead elsewhere by then.
 */
export function addressProblem(environment: Environment, address: string): string | undefined {
  // What a parser would forgive (blanks, backslashes, a missing slash) is refused, so that nobody reads it otherwise.
  if (!/^https?:\/\/[^\s\\/?#]/i.test(address) || /[\s\\]/.test(address) || !URL.canParse(address)) {
    return 'Must be an http or https address'
  }
  const { protocol, username, password } = new URL(address)
  if (username !== '' || password !== '') return 'Must not hold a user name or password'
  return environment === 'live' && protocol !== 'https:' ? 'Must be an https address in live' : undefined
}
