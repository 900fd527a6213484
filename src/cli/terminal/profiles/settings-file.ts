import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'
import { UsageError } from '../failure/failure.js'

const FOLDER = 'settings'

/** The path of a file of settings in a home. */
export function settingsPath(home: string, name: string): string {
  return join(home, FOLDER, `${name}.json`)
}

/**
 * Reads a file of settings, without the library that writes it, as loading it takes as long as running a command;
 * undefined if there is none. Throws a `UsageError` for a file that others can read.
 */
export function readSettings(home: string, name: string): string | undefined {
  return readOwnFile(settingsPath(home, name))
}

/** Reads a file; undefined if there is none. Throws a `UsageError` for one that others can read. */
export function readOwnFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`The file ${path} is open to other users; run: chmod 600 '${path}'`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read (${codeOf(error) ?? error})`)
  }
}

/** Saves a file of settings atomically, readable by its owner only. Throws a `UsageError` where it cannot be. */
export async function saveSettings<T extends Record<string, unknown>>(
  home: string,
  name: string,
  content: T,
): Promise<void> {
  const { default: Conf } = await import('conf')
  const cwd = join(home, FOLDER)
  try {
    mkdirSync(cwd, { recursive: true, mode: 0o700 })
    const conf = new Conf<T>({
      cwd,
      configName: name,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    })
    conf.store = content
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    const path = settingsPath(home, name)
    throw new UsageError(`The file ${path} cannot be written (${code}); name another folder in PAYCTL_HOME`)
  }
}
