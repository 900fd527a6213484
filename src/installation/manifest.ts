import { createHash } from 'node:crypto'
import { createReadStream, lstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Environment } from '../engine/store/database/store.js'
import type { Vault } from '../engine/store/vault/vault.js'
import { equalsInConstantTime } from '../platform/constant-time.js'
import { parsedJson } from '../schema/json.js'
import { isTree } from '../schema/types.js'
import type { CopiedBooks } from './copied-books.js'
import { InstallationError } from './installation-error.js'

/** Manifest of a backup: a file beside the copies, which is written last. */
export interface Manifest {
  readonly object: 'backup'
  readonly version: 1
  /** Version of payctl that made the backup. */
  readonly made_by: string
  /** Time of the backup, in UTC. */
  readonly made_at: string
  /** Ids of the keys that the encrypted values of the backup need. */
  readonly keys: readonly string[]
  readonly files: readonly CopiedFile[]
}

export interface CopiedFile extends CopiedBooks {
  readonly name: string
  readonly environment: Environment
  readonly bytes: number
  /** Hash of the whole file, in hex. */
  readonly sha256: string
  readonly migrations: readonly string[]
}

export const MANIFEST = 'backup.json'

type KeyedHash = Vault['hash']

/**
 * Manifest as text, with a keyed hash of its content under the home's key, so that it cannot be forged
 * without the key file.
 */
export function writeManifest(manifest: Manifest, keyed: KeyedHash): string {
  return `${JSON.stringify({ ...manifest, mac: macOf(manifest, keyed) }, null, 2)}\n`
}

/** Manifest that was read, before its keyed hash is checked. */
export interface ReadManifest {
  readonly manifest: Manifest
  /** Whether the manifest was written with the key file and has not been changed since. */
  isGenuine(keyed: KeyedHash): boolean
}

/** Reads the manifest of a backup. Throws an `InstallationError` for a folder without a finished backup. */
export async function readManifest(folder: string): Promise<ReadManifest> {
  const path = join(folder, MANIFEST)
  const stat = lstatSync(folder, { throwIfNoEntry: false }) && lstatSync(path, { throwIfNoEntry: false })
  if (!stat) throw new InstallationError(`${folder} holds no finished backup: there is no ${MANIFEST} in it.`)
  if (!stat.isFile())
    throw new InstallationError(`${path} is no regular file: payctl backup made another one.`)
  const manifest = parsedJson(await readFile(path, 'utf8'))
  if (!isManifest(manifest)) throw new InstallationError(`${path} is damaged, or was made by a newer payctl.`)
  const { mac, ...content } = manifest
  return {
    manifest,
    isGenuine: (keyed) => typeof mac === 'string' && equalsInConstantTime(mac, macOf(content, keyed)),
  }
}

/** Keyed hash of a manifest's content. */
function macOf(content: Manifest, keyed: KeyedHash): string {
  return keyed(JSON.stringify(content), 'backup manifest')
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function isManifest(value: unknown): value is Manifest & { readonly mac?: unknown } {
  return (
    isTree(value) &&
    value['object'] === 'backup' &&
    value['version'] === 1 &&
    typeof value['made_at'] === 'string' &&
    isTexts(value['keys']) &&
    Array.isArray(value['files']) &&
    value['files'].length > 0 &&
    value['files'].every(isCopiedFile) &&
    new Set(value['files'].map(({ name }) => name)).size === value['files'].length
  )
}

function isCopiedFile(value: unknown): value is CopiedFile {
  if (!isTree(value)) return false
  const { name, environment, bytes, sha256, migrations, head, log } = value
  return (
    (environment === 'test' || environment === 'live') &&
    name === `${environment}.db` &&
    typeof bytes === 'number' &&
    typeof sha256 === 'string' &&
    isTexts(migrations) &&
    isTree(head) &&
    Number.isSafeInteger(head['number']) &&
    typeof head['hash'] === 'string' &&
    (log === null || typeof log === 'string')
  )
}

/** Whether a value is a list of strings. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
