import type { Work } from '../../../engine/core/write/work.js'
import { equalsInConstantTime } from '../../../platform/constant-time.js'

const PURPOSE = 'oauth_known_browser'

/** A user or an operator. */
interface Known {
  readonly id: string
}

/**
 * Makes the cookie of a browser in which a person has signed in: a browser name, and a keyed hash of name and person.
 * The cookie gives no access. Wrong passwords from a browser with the cookie are counted apart from those of
 * strangers.
 */
export function knownBrowserOf(work: Work, { id }: Known): string {
  const name = work.newId('')
  return `${name}.${signature(work, id, name)}`
}

/** The name of the browser that has a cookie; undefined when the cookie was forged or is another person's. */
export function browserNameOf(work: Work, { id }: Known, cookie: string): string | undefined {
  const [name = '', signed = ''] = cookie.split('.')
  return equalsInConstantTime(signed, signature(work, id, name)) ? name : undefined
}

function signature({ vault, environment }: Work, userId: string, name: string): string {
  return vault.hash(JSON.stringify([environment, userId, name]), PURPOSE)
}
