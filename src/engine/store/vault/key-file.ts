import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { codeOf } from '../../../platform/error-code.js'
import type { Random } from '../../../platform/random.js'
import { fileProblem, StoreError } from '../database/store-error.js'
import { withFileLock } from '../files/file-lock.js'
import { makeFolder, publish, replaceFile } from '../files/files.js'
import { type Keyring, newKeyring, readKeyring, writeKeyring } from './keyring.js'

export function keyFilePath(home: string): string {
  return join(home, 'payctl.key')
}

/**
 * Makes the key file, readable by its owner only, unless it exists. Throws a `StoreError` if it cannot be
 * made.
 */
export function makeKeyFile(path: string, random: Random): void {
  if (existsSync(path)) return
  try {
    makeFolder(dirname(path))
    publish(path, (draft) => writeDraft(draft, newKeyring(random)))
    removeDrafts(path)
  } catch (error) {
    throw explainMaking(error, path)
  }
}

/**
 * Changes the key file atomically, one process at a time. Returns its new content. Throws a `StoreError` if
 * it cannot be changed.
 */
export function changeKeyFile(path: string, change: (keyring: Keyring) => Keyring): Keyring {
  try {
    return withFileLock(`${path}.lock`, () => {
      const known = readKeyFile(path)
      const changed = change(known)
      if (changed !== known) replaceFile(path, (draft) => writeDraft(draft, changed))
      return changed
    })
  } catch (error) {
    throw explainMaking(error, path)
  }
}

/** Makes a key file from the changed keys of another one. Throws a `StoreError` if it cannot be made. */
export function copyKeyFile(from: string, to: string, change: (keyring: Keyring) => Keyring): void {
  try {
    publish(to, (draft) => writeDraft(draft, change(readKeyFile(from))))
  } catch (error) {
    throw explainMaking(error, to)
  }
}

function writeDraft(draft: string, keyring: Keyring): void {
  writeFileSync(draft, writeKeyring(keyring), { flag: 'wx', mode: 0o600 })
}

/** Milliseconds after which a draft is certainly abandoned. */
const DRAFT_LIFE = 60_000

/**
 * Removes drafts of the key file that killed processes left behind. Newer drafts, which may still be in
 * use, are kept.
 */
function removeDrafts(path: string): void {
  const createdAt = statSync(path).mtimeMs
  const drafts = readdirSync(dirname(path)).filter((name) =>
    /^\.\d+$/.test(name.slice(basename(path).length)),
  )
  for (const name of drafts.filter((draft) => draft.startsWith(basename(path)))) {
    const draft = join(dirname(path), name)
    const stat = statSync(draft, { throwIfNoEntry: false })
    if (stat && createdAt - stat.mtimeMs > DRAFT_LIFE) rmSync(draft, { force: true })
  }
}

/** Whether this user may not open the folder of a file. Then it is not known whether the file exists. */
function isClosed(path: string): boolean {
  try {
    statSync(path, { throwIfNoEntry: false })
    return false
  } catch (error) {
    return fileProblem(error) === 'no_access'
  }
}

function explainMaking(error: unknown, path: string): unknown {
  const problem = fileProblem(error)
  switch (problem) {
    case undefined:
      return error
    case 'missing':
      return new StoreError(
        problem,
        `There can be no key file at ${path}; name a folder for it in PAYCTL_HOME.`,
        { cause: error },
      )
    case 'no_access':
    case 'read_only':
      return new StoreError(
        problem,
        isClosed(path)
          ? `This user may not open the folder of the key file ${path}; run payctl as the folder's owner, or name another in PAYCTL_HOME.`
          : `The key file ${path} can be neither read nor made; make its folder writable or name another in PAYCTL_HOME.`,
        { cause: error },
      )
    case 'disk_full':
      return new StoreError(problem, `The disk that holds ${path} is full; free some space and try again.`, {
        cause: error,
      })
  }
}

/**
 * Reads the key file. Throws a `StoreError` that says how to proceed if the file is missing, exposed or
 * malformed.
 */
export function readKeyFile(path: string): Keyring {
  const keyring = readKeyring(readPrivately(path))
  if (!keyring) throw malformed(path)
  return keyring
}

/** Keys of a file that a rotation may change while this process runs. */
export interface FollowedKeyFile {
  /** Keys as they were read last. */
  known(): Keyring
  /** Current keys; the file is read again if it has changed. */
  latest(): Keyring
  /** Current keys; the file is always read again. */
  reread(): Keyring
}

/**
 * Reads a key file on demand. Every method throws the errors of `readKeyFile`, and a `StoreError` for the
 * keys of another home.
 */
export function followKeyFile(path: string): FollowedKeyFile {
  let held: { readonly keyring: Keyring; readonly version: string | undefined } | undefined
  const reread = () => {
    const version = versionOf(path)
    const keyring = readKeyFile(path)
    if (held && !keyring.hash.equals(held.keyring.hash))
      throw new StoreError(
        'key_foreign',
        `The key file ${path} was replaced by one of another home; put back the one that was there.`,
      )
    held = { keyring, version }
    return keyring
  }
  return {
    known: () => held?.keyring ?? reread(),
    latest() {
      const version = versionOf(path)
      // If the file is gone, this process goes on with the keys that it has; the next start reports it.
      return held && (version === undefined || version === held.version) ? held.keyring : reread()
    },
    reread,
  }
}

/** Variant for one unit of work: the file is checked once, when keys are first needed. */
export function readOnce(keys: FollowedKeyFile): FollowedKeyFile {
  let read: Keyring | undefined
  const reread = () => {
    read = keys.reread()
    return read
  }
  return {
    known: keys.known,
    latest() {
      read ??= keys.latest()
      return read
    },
    reread,
  }
}

/** Text that differs for another file or another content; undefined if there is no file. */
function versionOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat && `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
}

function readPrivately(path: string): string {
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
      throw new StoreError(
        'key_exposed',
        `The key file ${path} is open to other users; run: chmod 600 ${/\s/.test(path) ? `'${path}'` : path}`,
      )
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw explainReading(error, path)
  }
}

function explainReading(error: unknown, path: string): unknown {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new StoreError(
        'key_missing',
        `The key file ${path} is missing; restore it from your backup of it, for what it sealed cannot be read without.`,
        { cause: error },
      )
    case 'EISDIR':
      return malformed(path, error)
    case 'EACCES':
      return new StoreError('no_access', `The key file ${path} belongs to another user; run as its owner.`, {
        cause: error,
      })
    default:
      return error
  }
}

function malformed(path: string, cause?: unknown): StoreError {
  const message = `The key file ${path} is damaged; restore it from your backup of it.`
  return new StoreError('key_malformed', message, { cause })
}
