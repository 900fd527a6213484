import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { headPath, readHead, resetHead } from '../engine/store/books/head-file.js'
import type { Head } from '../engine/store/books/seal-log.js'
import type { Environment } from '../engine/store/database/store.js'
import { sync } from '../engine/store/files/files.js'
import { missingMigrations } from '../engine/store/migrations/migrate.js'
import { damageIn, setJournal, settle } from '../engine/store/sqlite/copy.js'
import { databasePath, holdsDatabase } from '../engine/store/sqlite/database-file.js'
import { explainSqliteError } from '../engine/store/sqlite/sqlite-errors.js'
import { copyKeyFile, keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'
import type { Keyring } from '../engine/store/vault/keyring.js'
import { explainMissingKey, missingKey } from '../engine/store/vault/known-keys.js'
import { openVault } from '../engine/store/vault/vault.js'
import type { Clock } from '../platform/clock.js'
import { type Random, systemRandom } from '../platform/random.js'
import { datetimeOf } from '../schema/datetime.js'
import { acceptRestored } from './accept-books.js'
import { copiedBooks } from './copied-books.js'
import { InstallationError } from './installation-error.js'
import { type CopiedFile, type Manifest, readManifest, sha256Of } from './manifest.js'
import { migrateHome } from './migrate-home.js'
import { keysKnownTo } from './recorded-backups.js'

/** Backup that passed its checks, and the databases that restoring it would replace. */
export interface CheckedBackup {
  readonly manifest: Manifest
  /**
   * Folder in the home with copies of the backup's databases. These copies were checked and are restored,
   * because the files of the backup may change in the meantime.
   */
  readonly copies: string
  /** Existing databases that would be put aside. */
  readonly replaces: readonly string[]
  /** Whether `replaces` includes the live database. */
  readonly replacesLive: boolean
}

/**
 * Copies the databases of a backup into the home, checks them, and runs `work`; remaining copies are
 * removed. The manifest must be signed with this home's key file. Each file must match the manifest, be
 * intact, and not come from a newer payctl. Throws an `InstallationError` or a `StoreError`.
 */
export async function withBackup<T>(
  home: string,
  folder: string,
  work: (backup: CheckedBackup) => Promise<T>,
): Promise<T> {
  const { manifest, isGenuine } = await readManifest(folder)
  const keyring = expectKeys(home, manifest)
  if (!isGenuine(openVault(home, systemRandom).hash))
    throw new InstallationError(
      `The manifest in ${folder} was not made with the key file of ${home}, or was changed since: it may be a backup of another home, or forged; restore another backup.`,
    )
  const copies = mkdtempSync(join(home, 'restoring-'))
  try {
    for (const file of manifest.files) await takeCopy(folder, copies, file)
    for (const file of manifest.files) await checkCopy(home, copies, keyring, file)
    const paths = manifest.files.map(({ environment }) => databasePath(home, environment))
    const replaces = paths.filter(holdsDatabase)
    const replacesLive = replaces.includes(databasePath(home, 'live'))
    return await work({ manifest, copies, replaces, replacesLive })
  } catch (error) {
    throw explainSqliteError(error, home)
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

/**
 * Makes the copies of a backup a separate home, in which `payctl verify` can prove their books. It gets the
 * keys, and the heads and logs of the manifest, and is migrated to the newest schema.
 */
export async function makeProvable(home: string, { copies, manifest }: CheckedBackup): Promise<void> {
  const logs = new Map(manifest.files.flatMap(({ environment, log }) => (log ? [[environment, log]] : [])))
  copyKeyFile(keyFilePath(home), keyFilePath(copies), (keys) => ({ ...keys, logs }))
  for (const { environment, migrations, head } of manifest.files) {
    resetHead(headPath(copies, environment), head)
    if (missingMigrations(migrations, databasePath(copies, environment)).length > 0)
      await migrateHome({ home: copies, environment, random: systemRandom })
  }
}

export interface RestoreOptions {
  readonly home: string
  readonly clock: Clock
  readonly random: Random
}

/**
 * Restores the databases of a checked backup and seals the restore in their books. Existing databases are
 * never deleted. They are renamed, with the time at the end of the name; the new names are returned.
 * Afterwards gateways must report their operations since the backup.
 *
 * Throws a `StoreError`, without replacing any file, while another process has a database open. After a
 * crash the home has no head file and is refused until it is restored again.
 */
export async function restore(
  { home, clock, random }: RestoreOptions,
  { manifest: { files, made_at: madeAt }, copies, replaces }: CheckedBackup,
): Promise<readonly string[]> {
  for (const path of replaces) await settle(path)
  for (const { environment } of files) await prepareCopy(databasePath(copies, environment))
  const stamp = unusedStamp(
    files.flatMap(({ environment }) => [databasePath(home, environment), headPath(home, environment)]),
    datetimeOf(clock.now()),
  )
  const aside: string[] = []
  const replaced = new Map<Environment, string>()
  for (const { environment } of files) {
    const path = databasePath(home, environment)
    const head = headPath(home, environment)
    replaced.set(environment, replacedBooks(readHead(head)))
    aside.push(...putAside(head, stamp), ...putAside(path, stamp))
    for (const journal of ['-wal', '-shm']) rmSync(path + journal, { force: true })
    renameSync(databasePath(copies, environment), path)
  }
  sync(home)
  for (const [environment, what] of replaced)
    await acceptRestored({ home, environment, clock, random }, { madeAt, replaced: what })
  return aside
}

function replacedBooks(head: Head | undefined): string {
  return head
    ? `The head file knew the books up to commit ${head.number}`
    : 'No head file knew any books before'
}

/** Renames a file if it exists. Returns the new name. */
function putAside(path: string, stamp: string): string[] {
  if (!existsSync(path)) return []
  const kept = `${path}.before-${stamp}`
  renameSync(path, kept)
  return [kept]
}

/** Suffix for the names of files that are put aside; unique even within one second. */
function unusedStamp(paths: readonly string[], now: string): string {
  const second = now.replace(/\D/g, '')
  let stamp = second
  for (let count = 2; paths.some((path) => existsSync(`${path}.before-${stamp}`)); count++)
    stamp = `${second}-${count}`
  return stamp
}

async function prepareCopy(path: string): Promise<void> {
  await setJournal(path, 'WAL')
  sync(path)
}

/** Copies a file of a backup without its journal, which SQLite would otherwise apply. */
async function takeCopy(folder: string, copies: string, { name, bytes, sha256 }: CopiedFile): Promise<void> {
  const from = join(folder, name)
  const stat = lstatSync(from, { throwIfNoEntry: false })
  if (!stat) throw new InstallationError(`${from} is missing; take another backup.`)
  if (!stat.isFile()) throw new InstallationError(`${from} is no regular file; take another backup.`)
  const to = join(copies, name)
  copyFileSync(from, to, constants.COPYFILE_EXCL)
  chmodSync(to, 0o600)
  if (statSync(to).size !== bytes || (await sha256Of(to)) !== sha256)
    throw new InstallationError(
      `${from} is not what was backed up: its checksum differs; take another backup.`,
    )
}

async function checkCopy(home: string, copies: string, keyring: Keyring, file: CopiedFile): Promise<void> {
  const { name, migrations, head, log } = file
  const copy = join(copies, name)
  missingMigrations(migrations, name)
  const damage = await damageIn(copy)
  if (damage !== undefined)
    throw new InstallationError(`${name} is damaged (${damage}); take another backup.`)
  // The copy records a fingerprint of each key, so that more than the ids of keys is compared.
  const missing = missingKey(keyring, await keysKnownTo(copy))
  if (missing) throw new InstallationError(explainMissingKey(keyFilePath(home), name, missing.id))
  const books = await copiedBooks(copy)
  if (books.head.number !== head.number || books.head.hash !== head.hash || books.log !== log)
    throw new InstallationError(
      `The books of ${name} are not those that the manifest names; take another backup.`,
    )
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
