import { userInfo } from 'node:os'
import process from 'node:process'

/** The login that runs this process. */
export interface ThisLogin {
  /** Its name; its number where the system has no name for it, as in a container. */
  readonly name: string
  /** Undefined where logins have no numbers. */
  readonly uid: number | undefined
}

/** The login that runs this process, as the system knows it; no variable has a say. */
export function thisLogin(): ThisLogin {
  const uid = process.getuid?.()
  try {
    return { name: userInfo().username, uid }
  } catch {
    // The system has no entry for the number.
    return { name: String(uid), uid }
  }
}
