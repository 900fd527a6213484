import { homedir } from 'node:os'
import { join } from 'node:path'

export type Variables = Readonly<Record<string, string | undefined>>

/** The default folder of databases and keys: the platform's folder for a user's data. */
export function platformHome(platform: string, variables: Variables, user = homedir()): string {
  switch (platform) {
    case 'darwin':
      return join(user, 'Library', 'Application Support', 'payctl')
    case 'win32':
      return join(variables.LOCALAPPDATA ?? join(user, 'AppData', 'Local'), 'payctl')
    default:
      return join(variables.XDG_DATA_HOME || join(user, '.local', 'share'), 'payctl')
  }
}
