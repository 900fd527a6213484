import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { VaultKeyRow } from '../engine/store/database/tables.js'
import { SqliteStore } from '../engine/store/sqlite/sqlite-store.js'
import { HASH_KEY } from '../engine/store/vault/fingerprint.js'
import { knownKeys } from '../engine/store/vault/known-keys.js'
import { parsedJson } from '../schema/json.js'
import { isTree } from '../schema/types.js'
import { isTexts, MANIFEST } from './manifest.js'

/** Backup of a home, or a database that a restore has put aside in it. */
export interface RecordedBackup {
  readonly path: string
  /** Time of the backup, in UTC; null for a database that a restore put aside. */
  readonly made_at: string | null
  /** Ids of the keys that the backup needs. */
  readonly keys: readonly string[]
  /** Whether the backup still exists at its place. */
  readonly found: boolean
}

/** Records a backup in the home, so that a warning can name it before one of its keys is deleted. */
export function recordBackup(home: string, folder: string, made_at: string, keys: readonly string[]): void {
  const line = JSON.stringify({ folder: resolve(folder), made_at, keys })
  appendFileSync(recordPath(home), `${line}\n`, { mode: 0o600 })
}

/** Backups of a home, oldest first, and the databases that restores have put aside in it. */
export async function recordedBackups(home: string): Promise<readonly RecordedBackup[]> {
  return [...backupsOf(home), ...(await databasesAside(home))]
}

function recordPath(home: string): string {
  return join(home, 'backups.ndjson')
}

function backupsOf(home: string): RecordedBackup[] {
  const path = recordPath(home)
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.flatMap((line) => {
    const note = parsedJson(line)
    if (!isTree(note)) return []
    const { folder, made_at, keys } = note
    if (typeof folder !== 'string' || typeof made_at !== 'string' || !isTexts(keys)) return []
    // A folder without a manifest is an unfinished backup. If the folder itself is missing, the backup may have been
    // moved.
    if (existsSync(folder) && !existsSync(join(folder, MANIFEST))) return []
    return [{ path: folder, made_at, keys, found: existsSync(folder) }]
  })
}

async function databasesAside(home: string): Promise<RecordedBackup[]> {
  const found: RecordedBackup[] = []
  for (const name of readdirSync(home).filter((each) => /^(test|live)\.db\.before-\d+(-\d+)?$/.test(each))) {
    const path = join(home, name)
    found.push({ path, made_at: null, keys: await neededKeys(path), found: true })
  }
  return found
}

/** Ids of the encryption keys that a database file requires. */
export async function neededKeys(path: string): Promise<readonly string[]> {
  const known = await keysKnownTo(path)
  return known.filter(({ id, retired_at }) => id !== HASH_KEY && retired_at === null).map(({ id }) => id)
}

/** Keys that a database file records. No journal is left beside the file. */
export async function keysKnownTo(path: string): Promise<readonly VaultKeyRow[]> {
  const store = new SqliteStore(path)
  try {
    return await store.read(knownKeys)
  } finally {
    await store.close()
  }
}
