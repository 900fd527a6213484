import type { Core } from '../../../engine/core/core.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { OauthUserRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { isStorable } from '../../../schema/read.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import { isPassword } from './password.js'

/** Wrong passwords in a row that lock a user out. */
const MAX_FAILURES = 5
const LOCK_MINUTES = 15

/**
 * The user with an e-mail address and a password; undefined when they do not match or the user is locked. Both
 * refusals take as long and look the same. The password is checked outside any unit of work, as that takes about a
 * tenth of a second.
 */
export async function signIn(
  core: Core,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<OauthUserRow | undefined> {
  const user = await core.read((work) => userByEmail(work, email))
  const isRight = await isPassword(password, user?.password_hash)
  if (!user) return undefined
  return await core.write((work) => recordAttempt(work, user, isRight))
}

async function userByEmail(work: Work, email: string): Promise<OauthUserRow | undefined> {
  if (!isStorable(email)) return undefined
  const [user] = await work.findBy(resources.oauth_user, 'email', email.trim().toLowerCase())
  return user
}

/** Counts wrong passwords. A lock refuses the right password too, as guessing could otherwise continue. */
async function recordAttempt(
  work: Work,
  checked: OauthUserRow,
  isRight: boolean,
): Promise<OauthUserRow | undefined> {
  const user = await work.lock(resources.oauth_user, checked.id)
  // The password was changed in the meantime.
  if (!user || user.password_hash !== checked.password_hash) return undefined
  await expectSealed(work, 'admin_oauth_users', user)
  if (user.locked_until !== null && user.locked_until > work.realNow) return undefined
  if (isRight) return await work.change(resources.oauth_user, user.id, { failures: 0, locked_until: null })
  const failures = (user.failures ?? 0) + 1
  const isLocked = failures >= MAX_FAILURES
  await work.change(resources.oauth_user, user.id, {
    failures: isLocked ? 0 : failures,
    locked_until: isLocked ? datetimeOf(work.realMilliseconds + LOCK_MINUTES * 60_000) : null,
  })
  return undefined
}
