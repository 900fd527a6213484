import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { UsageError } from '../failure/failure.js'

export type Variables = Readonly<Record<string, string | undefined>>

/**
 * The default folder of databases and keys: the platform's folder for a user's data. Without HOME, as in
 * cron and services, the home folder in the user database is used. Throws a `UsageError` for a relative
 * folder.
 */
export function platformHome(
  platform: string,
  variables: Variables,
  account: () => string = () => userInfo().homedir,
): string {
  const { HOME, USERPROFILE, LOCALAPPDATA, XDG_DATA_HOME } = variables
  switch (platform) {
    case 'darwin':
      return join(absolute('HOME', HOME) ?? account(), 'Library', 'Application Support', 'payctl')
    case 'win32': {
      const user = USERPROFILE || account()
      return join(LOCALAPPDATA || join(user, 'AppData', 'Local'), 'payctl')
    }
    default: {
      const data = absolute('XDG_DATA_HOME', XDG_DATA_HOME)
      return join(data ?? join(absolute('HOME', HOME) ?? account(), '.local', 'share'), 'payctl')
    }
  }
}

/** A folder that a variable names; undefined if it is empty. Throws a `UsageError` for a relative path. */
export function absolute(variable: string, path: string | undefined): string | undefined {
  if (!path) return undefined
  if (isAbsolute(path)) return path
  throw new UsageError(
    `Expected a path from the root in ${variable}, but received: ${path}; a relative one would be another folder for each working directory`,
  )
}
