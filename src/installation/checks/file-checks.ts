import { existsSync, readdirSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { StoreError } from '../../engine/store/database/store-error.js'
import { keyFilePath, readKeyFile } from '../../engine/store/vault/key-file.js'
import { shellWord } from '../../platform/shell-word.js'
import { type CheckResult, failed, passed, warning } from './check-result.js'

/**
 * Free bytes below which the check warns, and free bytes below which the check fails because the service may soon stop.
 */
const LOW_SPACE = 1024 ** 3
const MIN_SPACE = 100 * 1024 ** 2

const GIGABYTE = 1024 ** 3

/** Matches names of files in a home that only its owner may read. */
const PRIVATE = /^((test|live)\.(db(-wal|-shm|\..*)?|head(\..*)?)|payctl\.key(\..*)?)$/

/** Checks that other users can neither read nor write the home's files. */
export function permissions(home: string): CheckResult[] {
  if (process.platform === 'win32' || !existsSync(home))
    return [passed('permissions', `${home} does not exist yet`)]
  const paths = readdirSync(home)
    .filter((name) => PRIVATE.test(name))
    .map((name) => join(home, name))
  const profiles = join(home, 'settings', 'profiles.json')
  if (existsSync(profiles)) paths.push(profiles)
  const found = paths.flatMap((path) => {
    const { mode } = statSync(path)
    if ((mode & 0o077) === 0) return []
    const what = (mode & 0o022) === 0 ? 'may be read by other users' : 'may be written by other users'
    return [failed('permissions', `${path} ${what}`, `chmod 600 ${shellWord(path)}`)]
  })
  if ((statSync(home).mode & 0o022) !== 0)
    found.push(failed('permissions', `Others may write into ${home}`, `chmod 700 ${shellWord(home)}`))
  return found.length > 0 ? found : [passed('permissions', `nobody else reads ${paths.length} private files`)]
}

/**
 * Checks the key file, and finds drafts of the key file that a process left behind when it was killed at its start. If
 * no database was ever used, the file may be missing.
 */
export function keyFile(home: string, isUnused: boolean): CheckResult[] {
  const path = keyFilePath(home)
  const drafts = existsSync(home) ? readdirSync(home).filter((name) => /^payctl\.key\.\d+$/.test(name)) : []
  const left = drafts.map((name) =>
    warning(
      'key file',
      `${name} was left behind by a start that was killed`,
      `rm ${shellWord(join(home, name))}`,
    ),
  )
  try {
    const { seal, next } = readKeyFile(path)
    const whole = `intact, with ${seal.size} ${seal.size === 1 ? 'key' : 'keys'}`
    if (next !== undefined)
      return [
        warning('key file', `${whole}, and a rotation that is not finished`, 'payctl vault rotate'),
        ...left,
      ]
    return [passed('key file', whole), ...left]
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    const isNew = error.problem === 'key_missing' && isUnused
    return [
      isNew
        ? passed('key file', 'made with the first database')
        : failed('key file', error.message, fixOf(error, path)),
      ...left,
    ]
  }
}

function fixOf({ problem }: StoreError, path: string): string {
  if (problem === 'key_exposed') return `chmod 600 ${shellWord(path)}`
  return problem === 'no_access' ? `sudo chown "$USER" ${shellWord(path)}` : 'payctl vault import <file>'
}

/** Checks the free space on the disk of the home. */
export function disk(home: string): CheckResult {
  const { bavail, bsize } = statfsSync(nearest(home))
  const free = bavail * bsize
  const found = `${(free / GIGABYTE).toFixed(1)} GiB are free where ${home} is`
  const fix = `du -sh ${shellWord(home)}`
  if (free < MIN_SPACE) return failed('disk', found, fix)
  return free < LOW_SPACE ? warning('disk', found, fix) : passed('disk', found)
}

function nearest(path: string): string {
  return existsSync(path) ? path : nearest(dirname(path))
}
