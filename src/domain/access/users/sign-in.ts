import type { Core } from '../../../engine/core/core.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { OauthUserRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { isStorable } from '../../../schema/read.js'
import {
  addAttempt,
  attemptHash,
  type Bound,
  countedAttempts,
  forgetAttempts,
} from '../../attempts/attempts.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { browserNameOf } from './known-browser.js'
import { isPassword } from './password.js'

/** Limit of wrong passwords in a row for a user, from one address or one known browser. */
const FAILURES: Bound = { most: 5, lifetime: 15 * 60_000 }

/** Credentials that a browser sends to sign a user in. */
export interface SignInAttempt {
  readonly email: string
  readonly password: string
  /** Network address of the caller, or the network that this address belongs to. */
  readonly address: string
  /** The cookie that recognizes a browser in which the user signed in before; empty if there is none. */
  readonly knownBrowser: string
}

/**
 * Finds the user with an e-mail address and a password. Undefined if they do not match, or after too many wrong
 * passwords from one address or browser. Both refusals take as long and look the same. The password is checked
 * outside any unit of work, as that takes about a tenth of a second.
 */
export async function signIn(core: Core, attempt: SignInAttempt): Promise<OauthUserRow | undefined> {
  const user = await core.read((work) => userByEmail(work, attempt.email))
  const isRight = await isPassword(attempt.password, user?.password_hash)
  if (!user) return undefined
  return await core.write((work) => countAttempt(work, user, attempt, isRight))
}

async function userByEmail(work: Work, email: string): Promise<OauthUserRow | undefined> {
  if (!isStorable(email)) return undefined
  const [user] = await work.findBy(resources.oauth_user, 'email', email.trim().toLowerCase())
  return user
}

/**
 * Counts wrong passwords by the browser if the user signed in there before, otherwise by the address. Strangers
 * therefore cannot lock a user out of a known browser. After too many, the right password is refused too, as guessing
 * could otherwise continue.
 */
async function countAttempt(
  work: Work,
  checked: OauthUserRow,
  { address, knownBrowser }: SignInAttempt,
  isRight: boolean,
): Promise<OauthUserRow | undefined> {
  const browser = browserNameOf(work, checked, knownBrowser)
  const from = browser === undefined ? ['address', address] : ['browser', browser]
  // The password's hash is part of the subject, so that a new password starts a new count.
  const subject = attemptHash(work, 'sign_in', checked.id, checked.password_hash, ...from)
  const before = await countedAttempts(work, subject)
  if (before.length >= FAILURES.most) return undefined
  if (!isRight) {
    await addAttempt(work, { purpose: 'sign_in', subject, what: '' }, FAILURES.lifetime)
    return undefined
  }
  const user = await work.find(resources.oauth_user, checked.id)
  // The password was changed in the meantime.
  if (!user || user.password_hash !== checked.password_hash) return undefined
  await expectSealed(work, 'admin_oauth_users', user)
  if (before.length > 0) await forgetAttempts(work, subject)
  return user
}
