import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Head } from '../engine/store/books/seal-log.js'
import type { Environment } from '../engine/store/database/store.js'
import { codeOf } from '../platform/error-code.js'
import { parsedJson } from '../schema/json.js'
import { isTree } from '../schema/types.js'
import { InstallationError } from './installation-error.js'

/** Contents of a backup: a file beside the copies, written last. */
export interface Manifest {
  readonly object: 'backup'
  readonly version: 1
  /** The version of payctl that made the backup. */
  readonly made_by: string
  /** UTC. */
  readonly made_at: string
  /** Ids of the keys that its sealed values need. */
  readonly keys: readonly string[]
  readonly files: readonly CopiedFile[]
}

export interface CopiedFile {
  readonly name: string
  readonly environment: Environment
  readonly bytes: number
  /** Hash of the whole file, in hex. */
  readonly sha256: string
  readonly migrations: readonly string[]
  /** Head of its sealed books; absent in older backups. */
  readonly head?: Head
}

export const MANIFEST = 'backup.json'

/** Reads the manifest of a backup. Throws an `InstallationError` for a folder without a finished backup. */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return ''
    throw error
  })
  if (text === '')
    throw new InstallationError(`${folder} holds no finished backup: there is no ${MANIFEST} in it.`)
  const manifest = parsedJson(text)
  if (!isManifest(manifest)) throw new InstallationError(`${path} is damaged, or was made by a newer payctl.`)
  return manifest
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}

function isManifest(value: unknown): value is Manifest {
  return (
    isTree(value) &&
    value['object'] === 'backup' &&
    value['version'] === 1 &&
    typeof value['made_at'] === 'string' &&
    isTexts(value['keys']) &&
    Array.isArray(value['files']) &&
    value['files'].every(isCopiedFile)
  )
}

function isCopiedFile(value: unknown): value is CopiedFile {
  if (!isTree(value)) return false
  const { name, environment, bytes, sha256, migrations } = value
  return (
    (environment === 'test' || environment === 'live') &&
    name === `${environment}.db` &&
    typeof bytes === 'number' &&
    typeof sha256 === 'string' &&
    isTexts(migrations)
  )
}

/** Whether a value is a list of strings. */
export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}
