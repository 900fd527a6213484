import { chmodSync, copyFileSync, existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { headPath, resetHead } from '../engine/store/books/head-file.js'
import type { Head } from '../engine/store/books/seal-log.js'
import type { Environment } from '../engine/store/database/store.js'
import { makeFolder, sync } from '../engine/store/files/files.js'
import { missingMigrations } from '../engine/store/migrations/migrate.js'
import { damageIn, setJournal, settle } from '../engine/store/sqlite/copy.js'
import { databasePath, holdsDatabase } from '../engine/store/sqlite/database-file.js'
import { explainSqliteError } from '../engine/store/sqlite/sqlite-errors.js'
import { keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'
import type { Keyring } from '../engine/store/vault/keyring.js'
import { explainMissingKey, missingKey } from '../engine/store/vault/known-keys.js'
import { openVault } from '../engine/store/vault/vault.js'
import { systemRandom } from '../platform/random.js'
import { InstallationError } from './installation-error.js'
import { type CopiedFile, type Manifest, readManifest, sha256Of } from './manifest.js'
import { noteRestored } from './note-restored.js'
import { keysKnownTo } from './recorded-backups.js'

/** A backup that passed its checks, and the databases that restoring it would replace. */
export interface VerifiedBackup {
  readonly manifest: Manifest
  /** The existing databases that would be put aside. */
  readonly replaces: readonly string[]
  /** Whether the database of live is among them. */
  readonly replacesLive: boolean
}

/**
 * Checks a backup without any change. Its files must be intact copies, not from a newer payctl, and this home must
 * have their keys. Throws an `InstallationError` or a `StoreError`.
 */
export async function verifyBackup(home: string, folder: string): Promise<VerifiedBackup> {
  const manifest = await readManifest(folder)
  for (const file of manifest.files) await verifyFile(folder, file)
  const keyring = expectKeys(home, manifest)
  for (const { name } of manifest.files) await expectSameKeys(home, keyring, join(folder, name))
  const paths = manifest.files.map(({ environment }) => databasePath(home, environment))
  const replaces = paths.filter(holdsDatabase)
  return { manifest, replaces, replacesLive: replaces.includes(databasePath(home, 'live')) }
}

/**
 * Puts the databases of a verified backup in place. Existing ones are never deleted: they are renamed, with `now` (a
 * datetime) at the end; returns those names. Gateways' operations since the backup have to be caught up on
 * afterwards. Throws a `StoreError`, without replacing any file, while another process has one open, or if a copy
 * cannot be made.
 */
export async function restore(
  home: string,
  folder: string,
  { manifest, replaces }: VerifiedBackup,
  now: string,
): Promise<readonly string[]> {
  for (const path of replaces) await settle(path)
  makeFolder(home)
  const drafts = await makeDrafts(home, folder, manifest, now)
  const stamp = unusedStamp(
    manifest.files.flatMap(({ environment }) => [
      databasePath(home, environment),
      headPath(home, environment),
    ]),
    now,
  )
  const aside: string[] = []
  for (const { environment, draft, head } of drafts) {
    const path = databasePath(home, environment)
    if (existsSync(path)) {
      const kept = `${path}.before-${stamp}`
      renameSync(path, kept)
      aside.push(kept)
    }
    for (const journal of ['-wal', '-shm']) rmSync(path + journal, { force: true })
    renameSync(draft, path)
    aside.push(...replaceHead(headPath(home, environment), head, stamp))
  }
  sync(home)
  return aside
}

/** A copy that is ready to take its place. */
interface Draft {
  readonly environment: Environment
  readonly draft: string
  readonly head: Head
}

/**
 * Copies all of a backup beside its destination before any file is replaced: a full disk leaves the home unchanged.
 */
async function makeDrafts(
  home: string,
  folder: string,
  { files, made_at: since }: Manifest,
  now: string,
): Promise<readonly Draft[]> {
  const drafts: Draft[] = []
  const begun: string[] = []
  try {
    for (const { name, environment } of files) {
      const draft = `${databasePath(home, environment)}.restoring`
      rmSync(draft, { force: true })
      begun.push(draft)
      copyFileSync(join(folder, name), draft)
      const keyed = openVault(home, systemRandom).hash
      const head = await noteRestored(draft, { environment, since, now, keyed })
      await setJournal(draft, 'WAL')
      chmodSync(draft, 0o600)
      sync(draft)
      drafts.push({ environment, draft, head })
    }
  } catch (error) {
    for (const draft of begun) rmSync(draft, { force: true })
    throw explainSqliteError(error, home)
  }
  return drafts
}

/** Suffix of the names of files that are put aside; unique also within one second. */
function unusedStamp(paths: readonly string[], now: string): string {
  const second = now.replace(/\D/g, '')
  let stamp = second
  for (let count = 2; paths.some((path) => existsSync(`${path}.before-${stamp}`)); count++)
    stamp = `${second}-${count}`
  return stamp
}

/** Makes a head file for the restored books; the existing one is put aside as well. */
function replaceHead(path: string, head: Head, stamp: string): string[] {
  const kept = `${path}.before-${stamp}`
  const isThere = existsSync(path)
  if (isThere) renameSync(path, kept)
  resetHead(path, head)
  return isThere ? [kept] : []
}

async function verifyFile(folder: string, { name, bytes, sha256, migrations }: CopiedFile): Promise<void> {
  const path = join(folder, name)
  const size = statSync(path, { throwIfNoEntry: false })?.size
  if (size === undefined) throw new InstallationError(`${path} is missing; take another backup.`)
  if (size !== bytes || (await sha256Of(path)) !== sha256)
    throw new InstallationError(
      `${path} is not what was backed up: its checksum differs; take another backup.`,
    )
  missingMigrations(migrations, path)
  const damage = await damageIn(path)
  if (damage !== undefined)
    throw new InstallationError(`${path} is damaged (${damage}); take another backup.`)
}

function expectKeys(home: string, { keys }: Manifest): Keyring {
  const path = keyFilePath(home)
  if (!existsSync(path))
    throw new InstallationError(
      `There is no key file in ${home}; import it first: payctl vault import <file>`,
    )
  const keyring = readKeyFile(path)
  const missing = keys.find((id) => !keyring.seal.has(id))
  if (missing !== undefined)
    throw new InstallationError(
      `The key file ${path} belongs to another home: the backup needs the key ${missing}; see payctl vault import`,
    )
  return keyring
}

/** Compares more than ids: the copy records a check value of each key. */
async function expectSameKeys(home: string, keyring: Keyring, copy: string): Promise<void> {
  const missing = missingKey(keyring, await keysKnownTo(copy))
  if (missing) throw new InstallationError(explainMissingKey(keyFilePath(home), copy, missing.id))
}
