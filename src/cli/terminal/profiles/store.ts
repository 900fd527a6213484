import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { UsageError } from '../failure/failure.js'
import { type Profiles, readProfiles } from './profile.js'

const FOLDER = 'settings'
const NAME = 'profiles'

/** The file of a home's profiles, which may hold keys. */
function profilesPath(home: string): string {
  return join(home, FOLDER, `${NAME}.json`)
}

/**
 * Reads the profiles of a home, without the library that writes them, as loading it takes as long as running a command.
 * Throws a `UsageError` for a file that others can read or that is damaged.
 */
export function loadProfiles(home: string): Profiles {
  const path = profilesPath(home)
  if (!existsSync(path)) return { profiles: {} }
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`The file ${path} is open to other users; run: chmod 600 '${path}'`)
  const profiles = readProfiles(readFileSync(path, 'utf8'))
  if (!profiles)
    throw new UsageError(`The file ${path} is damaged; fix it, or remove it and add profiles anew`)
  return profiles
}

/** Saves profiles atomically, readable by their owner only. */
export async function saveProfiles(home: string, { current, profiles }: Profiles): Promise<void> {
  const { default: Conf } = await import('conf')
  const cwd = join(home, FOLDER)
  mkdirSync(cwd, { recursive: true, mode: 0o700 })
  const conf = new Conf<{ current?: string; profiles?: Profiles['profiles'] }>({
    cwd,
    configName: NAME,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
  })
  conf.store = { profiles, ...(current !== undefined && { current }) }
}
