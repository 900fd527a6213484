import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'
import { shellWord } from '../../../platform/shell-word.js'
import { UsageError } from '../failure/failure.js'

const FOLDER = 'settings'

/** The path of a file of settings in a home. */
export function settingsPath(home: string, name: string): string {
  return join(home, FOLDER, `${name}.json`)
}

/**
 * Text of a settings file; undefined if there is none. Throws a `UsageError` for a file that other users
 * can read. Reading does not load the library that writes the file, because that takes as long as a whole
 * command.
 */
export function readSettings(home: string, name: string): string | undefined {
  return readOwnFile(settingsPath(home, name))
}

/** Reads a file; undefined if there is none. Throws a `UsageError` for a file that other users can read. */
export function readOwnFile(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    throw new UsageError(`The file ${path} is open to other users; run: chmod 600 ${shellWord(path)}`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read (${codeOf(error) ?? error})`)
  }
}

/**
 * Changes a settings file atomically and under a lock. `change` gets the text of the file (undefined if
 * there is none) and returns the new content. Only the owner can read the file. Throws a `UsageError` if it
 * cannot be written.
 */
export async function changeSettings<T extends Record<string, unknown>>(
  home: string,
  name: string,
  change: (text: string | undefined) => T,
): Promise<void> {
  const [{ default: Conf }, { withFileLock }] = await Promise.all([
    import('conf'),
    import('../../../engine/store/files/file-lock.js'),
  ])
  const cwd = join(home, FOLDER)
  const path = settingsPath(home, name)
  try {
    mkdirSync(cwd, { recursive: true, mode: 0o700 })
    withFileLock(`${path}.lock`, () => {
      const content = change(readSettings(home, name))
      const conf = new Conf<T>({
        cwd,
        configName: name,
        configFileMode: 0o600,
        accessPropertiesByDotNotation: false,
      })
      conf.store = content
    })
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    throw new UsageError(`The file ${path} cannot be written (${code}); name another folder in PAYCTL_HOME`)
  }
}
