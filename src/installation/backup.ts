import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { booksProblem, type KnownBooks, readKnownBooks } from '../engine/store/books/compare-head.js'
import { makeFolder, sync } from '../engine/store/files/files.js'
import { appliedMigrations, recordProblem } from '../engine/store/migrations/migrate.js'
import { environments } from '../engine/store/open-store.js'
import { copyDatabase, damageIn } from '../engine/store/sqlite/copy.js'
import { databasePath, holdsDatabase } from '../engine/store/sqlite/database-file.js'
import { SqliteStore } from '../engine/store/sqlite/sqlite-store.js'
import { keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'
import type { Keyring } from '../engine/store/vault/keyring.js'
import { openVault } from '../engine/store/vault/vault.js'
import { codeOf } from '../platform/error-code.js'
import { systemRandom } from '../platform/random.js'
import { datetimeOf } from '../schema/datetime.js'
import { copiedBooks } from './copied-books.js'
import { InstallationError } from './installation-error.js'
import { type CopiedFile, MANIFEST, type Manifest, sha256Of, writeManifest } from './manifest.js'
import { neededKeys, recordBackup } from './recorded-backups.js'

export interface BackupOptions {
  readonly home: string
  /** Folder for the copies; it must be new or empty. */
  readonly folder: string
  readonly madeBy: string
  /** Time of the backup, in milliseconds since 1970. */
  readonly now: number
}

/**
 * Copies the databases of a home, with attached files, while other processes continue to write. Each copy
 * is checked. Keys are not included. Throws an `InstallationError` or a `StoreError`.
 */
export async function backUp({ home, folder, madeBy, now }: BackupOptions): Promise<Manifest> {
  const there = environments.filter((environment) => holdsDatabase(databasePath(home, environment)))
  if (there.length === 0) throw new InstallationError(`There is no database in ${home}: nothing to back up.`)
  const keyring = readKeyFile(keyFilePath(home))
  const vault = openVault(home, systemRandom)
  prepare(folder)
  const files: CopiedFile[] = []
  for (const environment of there)
    files.push(await copied(folder, home, readKnownBooks(home, environment, vault)))
  const made_at = datetimeOf(now)
  const keys = await keysFor(
    keyring,
    files.map(({ name }) => join(folder, name)),
  )
  recordBackup(home, folder, made_at, keys)
  const manifest: Manifest = { object: 'backup', version: 1, made_by: madeBy, made_at, keys, files }
  const path = join(folder, MANIFEST)
  writeFileSync(path, writeManifest(manifest, vault.hash), { mode: 0o600, flag: 'wx' })
  for (const file of [path, folder]) sync(file)
  return manifest
}

/** Ids of the keys that encrypt values in the copies; all keys for a copy that records no keys. */
async function keysFor({ seal }: Keyring, copies: readonly string[]): Promise<readonly string[]> {
  const needed = new Set<string>()
  for (const copy of copies) {
    const keys = (await neededKeys(copy)).filter((id) => seal.has(id))
    for (const id of keys.length > 0 ? keys : seal.keys()) needed.add(id)
  }
  return [...needed]
}

/**
 * Copies a database and checks the copy. Throws an `InstallationError` if its books differ from those that
 * the home knows.
 */
async function copied(folder: string, home: string, known: KnownBooks): Promise<CopiedFile> {
  const { environment } = known
  const name = `${environment}.db`
  const to = join(folder, name)
  await copyDatabase(databasePath(home, environment), to)
  const damage = await damageIn(to)
  if (damage !== undefined)
    throw new InstallationError(
      `The copy of ${name} is damaged (${damage}); run payctl doctor: the database may be damaged, too.`,
    )
  const migrations = await examined(to, known)
  const books = await copiedBooks(to)
  sync(to)
  return { name, environment, bytes: statSync(to).size, sha256: await sha256Of(to), migrations, ...books }
}

/** Migrations of a copy. Throws an `InstallationError` if its books differ from those that the home knows. */
async function examined(path: string, known: KnownBooks): Promise<readonly string[]> {
  const store = new SqliteStore(path)
  try {
    return await store.read(async (tx) => {
      const migrations = await appliedMigrations(tx)
      const record = await recordProblem(tx, migrations)
      const problem = record === undefined ? await booksProblem(tx, known) : `The database ${record}`
      if (problem !== undefined)
        throw new InstallationError(
          `${problem}: nothing was backed up; run payctl doctor, then payctl restore or payctl books accept.`,
        )
      return migrations
    })
  } finally {
    await store.close()
  }
}

/** Makes the folder, unless it exists and is empty. */
function prepare(folder: string): void {
  try {
    const stat = statSync(folder, { throwIfNoEntry: false })
    if (stat && !(stat.isDirectory() && readdirSync(folder).length === 0))
      throw new InstallationError(`${folder} already exists and is not empty; name a new or empty folder.`)
    makeFolder(folder)
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) throw error
    throw new InstallationError(`The folder ${folder || "''"} cannot be made (${code}); name another.`, {
      cause: error,
    })
  }
}
