import type { Work } from '../../../engine/core/write/work.js'
import type { OauthUserRow } from '../../../engine/store/database/tables.js'
import { equalsInConstantTime } from '../../../platform/constant-time.js'
import { resources } from '../../../resources/resource-table.js'
import { expectSealed } from '../seals/not-as-sealed.js'
import type { SignInPolicy } from '../sign-in/sign-in.js'

const { oauth_user } = resources
const TABLE = 'admin_oauth_users'

/** The sign-in of users of OAuth. The password's hash is part of the subject, so a new password starts a new count. */
export const USERS: SignInPolicy<OauthUserRow> = {
  table: TABLE,
  find: async (work, email) => (await work.findBy(oauth_user, 'email', email))[0],
  lock: (work, id) => work.lock(oauth_user, id),
  subject: (_, user) => user && ['sign_in', user.id, user.password_hash],
  fromStrangers: undefined,
  by: () => undefined,
}

const SESSION_SECONDS = 3_600
const PURPOSE = 'oauth_session'

/**
 * A session as its cookie holds it: the user, its end (seconds since 1970), and a keyed hash. The hash also covers
 * the password's hash, so that a new password ends every session.
 */
export function sessionOf(work: Work, user: OauthUserRow): string {
  const until = Math.floor(work.realMilliseconds / 1000) + SESSION_SECONDS
  return `${user.id}.${until}.${signature(work, user, until)}`
}

/** The user of a session; undefined when it was forged, has ended, or the user is gone. */
export async function userOf(work: Work, session: string): Promise<OauthUserRow | undefined> {
  const [id = '', until = '', signed = ''] = session.split('.')
  const user = await work.find(oauth_user, id)
  if (!user || Number(until) * 1000 <= work.realMilliseconds) return undefined
  if (!equalsInConstantTime(signed, signature(work, user, Number(until)))) return undefined
  await expectSealed(work, TABLE, user)
  return user
}

function signature({ vault, environment }: Work, { id, password_hash }: OauthUserRow, until: number): string {
  return vault.hash(JSON.stringify([environment, id, until, password_hash]), PURPOSE)
}
