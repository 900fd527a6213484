import { userInfo } from 'node:os'
import process from 'node:process'

/** The login that runs this process. */
export interface ThisLogin {
  /** Name of the login; its number if the system has no name for it, as in a container. */
  readonly name: string
  /** User id; undefined on systems without user ids. */
  readonly uid: number | undefined
}

/** The login that runs this process, read from the system and not from environment variables. */
export function thisLogin(): ThisLogin {
  const uid = process.getuid?.()
  try {
    return { name: userInfo().username, uid }
  } catch {
    // The system has no name for this user id.
    return { name: String(uid), uid }
  }
}
