import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, publish } from '../engine/store/files/files.js'
import { keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'
import { readKeyring } from '../engine/store/vault/keyring.js'
import { codeOf } from '../platform/error-code.js'
import type { Random } from '../platform/random.js'
import { InstallationError } from './installation-error.js'
import { openKeys, sealKeys } from './key-export.js'

/**
 * Writes the keys of a home to a new file, encrypted with a passphrase, and makes the missing folders of its path.
 * Returns the ids of the keys. Throws an `InstallationError`.
 */
export function exportKeys(
  home: string,
  path: string,
  passphrase: string,
  random: Random,
): readonly string[] {
  const { seal } = readKeyFile(keyFilePath(home))
  const text = sealKeys(readFileSync(keyFilePath(home), 'utf8'), passphrase, random)
  try {
    makeFolder(dirname(path))
  } catch (error) {
    throw unwritable(path, error)
  }
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw new InstallationError(`${path} already exists; name a new file.`)
    // An incomplete file is removed: it could be mistaken for a complete file, and would block the next attempt.
    rmSync(path, { force: true })
    throw unwritable(path, error)
  }
  return [...seal.keys()]
}

function unwritable(path: string, error: unknown): InstallationError {
  return new InstallationError(`${path} cannot be written (${codeOf(error) ?? error}).`, { cause: error })
}

/**
 * Creates the key file of a home from an exported file. Returns the ids of its keys. Throws an
 * `InstallationError` if there already is a key file.
 */
export function importKeys(home: string, path: string, passphrase: string): readonly string[] {
  const to = keyFilePath(home)
  if (existsSync(to))
    throw new InstallationError(`${to} already exists; move it away first if it is not needed.`)
  const text = openKeys(readExport(path), passphrase)
  const keyring = readKeyring(text)
  if (!keyring) throw new InstallationError(`${path} holds no complete keys.`)
  makeFolder(dirname(to))
  publish(to, (draft) => writeFileSync(draft, text, { flag: 'wx', mode: 0o600 }))
  return [...keyring.seal.keys()]
}

function readExport(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new InstallationError(`${path} cannot be read (${codeOf(error) ?? error}).`, { cause: error })
  }
}
