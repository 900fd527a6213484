import { rmSync } from 'node:fs'
import process from 'node:process'
import { sql } from 'kysely'
import { headPath, resetHead } from '../../src/engine/store/books/head-file.js'
import { NOTHING_SEALED } from '../../src/engine/store/books/seal-log.js'
import { using } from '../../src/engine/store/database/raw-use.js'
import type { SqlDialect, Store } from '../../src/engine/store/database/store.js'
import { openAsIs, openStore } from '../../src/engine/store/open-store.js'
import { keyFilePath, makeKeyFile } from '../../src/engine/store/vault/key-file.js'
import { openVault, type Vault } from '../../src/engine/store/vault/vault.js'
import { systemRandom } from '../../src/platform/random.js'
import { emptyHome, inHome } from './home.js'
import { copyMigratedFiles } from './migrated-files.js'
import { emptyDatabase, giveBack, migratedDatabase } from './postgres.js'

/** A new home and database for one suite alone. */
export interface Place {
  readonly dialect: SqlDialect
  readonly home: string
  /** Address of the PostgreSQL database; undefined on SQLite, whose files are in the home. */
  readonly databaseUrl?: string
}

/** A fresh, migrated test environment. */
export interface TestDatabase extends Place {
  readonly store: Store
  readonly vault: Vault
}

/** Creates the databases of a suite; all are closed and removed when the suite ends. */
export interface Databases {
  (): Promise<TestDatabase>
  /** Creates a place with an empty database. */
  place(): Promise<Place>
  /**
   * Creates a place with a key, and with both environments migrated to the newest schema. The databases are
   * copies, so no migration runs.
   */
  migrated(): Promise<Place>
  /** Runs `end` when the suite ends, before its databases are removed. */
  atEnd(end: () => Promise<void>): void
}

/**
 * Why `npm test` runs a suite on both databases. It is about locks, statements, seals, commits in groups or upgrades, or
 * it is the one story of an adapter that runs on both.
 */
export type DatabaseReason = 'locks' | 'sql' | 'seals' | 'groups' | 'upgrade' | 'story'

type Define = (open: Databases) => void

/**
 * Runs a suite on SQLite in `npm test`, and on PostgreSQL in `npm run test:rest`; with a reason, on both in `npm test`.
 * Titles with `@rest` are left to that run.
 *
 * Example: `onDatabases((open) => { let db: TestDatabase; before(async () => { db = await open() }); it(…) })`
 */
export function onDatabases(
  ...words: readonly [Define] | readonly [reason: DatabaseReason, define: Define]
): void {
  const [reason, define] = words.length === 2 ? words : [undefined, words[0]]
  for (const dialect of dialects()) {
    const isLater = reason === undefined && dialect === 'postgres'
    describe(`on ${dialect}${isLater ? ' @rest' : ''}`, () => withDatabases(dialect, define))
  }
}

/** Runs a suite on PostgreSQL only. */
export function onPostgres(define: Define): void {
  if (dialects().includes('postgres')) withDatabases('postgres', define)
}

/** Runs a suite on SQLite only. */
export function onSqlite(define: Define): void {
  if (dialects().includes('sqlite')) withDatabases('sqlite', define)
}

/** Dialects named by `PAYCTL_TEST_DATABASES`: `sqlite`, `postgres`, or both with a comma, which is the default. */
function dialects(): SqlDialect[] {
  return (process.env['PAYCTL_TEST_DATABASES'] ?? 'sqlite,postgres').split(',').map((name) => {
    if (name === 'sqlite' || name === 'postgres') return name
    throw new Error(`PAYCTL_TEST_DATABASES knows sqlite and postgres, not ${name}`)
  })
}

/** Defines a suite. Its databases are removed after its own `after` hooks, in which it stops what uses them. */
function withDatabases(dialect: SqlDialect, define: Define): void {
  const endings: Ending[] = []
  define(databasesOf(dialect, endings))
  after(async () => {
    const outcomes = []
    for (const end of endings.reverse())
      outcomes.push(
        await Promise.resolve()
          .then(end)
          .then(nothing, (error: unknown) => error),
      )
    const failures = outcomes.filter((failure) => failure !== undefined)
    if (failures.length > 0)
      throw new AggregateError(failures, 'The databases of a suite could not be closed')
  })
}

type Ending = () => void | Promise<void>

/** Functions that create databases in a dialect and add to `endings` what removes them. */
function databasesOf(dialect: SqlDialect, endings: Ending[]): Databases {
  const placeIn = async (database: () => Promise<string>): Promise<Place> => {
    const home = emptyHome()
    endings.push(() => rmSync(home, { recursive: true, force: true }))
    return dialect === 'sqlite' ? { dialect, home } : { dialect, home, databaseUrl: await database() }
  }
  const place = () => placeIn(emptyDatabase)
  const migrated = async (): Promise<Place> => {
    const fresh = await placeIn(() => migratedDatabase(migrateDatabase))
    const { databaseUrl } = fresh
    if (databaseUrl !== undefined) endings.push(() => giveBack(databaseUrl))
    if (dialect === 'sqlite') await copyMigratedFiles(fresh.home, migrateFiles)
    // The key file is normally created with the first database of a home, but this database is a copy.
    makeKeyFile(keyFilePath(fresh.home), systemRandom)
    return fresh
  }
  const open = async (): Promise<TestDatabase> => {
    const fresh = await migrated()
    const store = await openStore({ ...fresh, environment: 'test', random: systemRandom })
    endings.push(() => store.close())
    return { ...fresh, store, vault: openVault(fresh.home, systemRandom).forEnvironment('test') }
  }
  const atEnd = (end: () => Promise<void>) => {
    endings.push(end)
  }
  return Object.assign(open, { place, migrated, atEnd })
}

/** Migrates both environments of a PostgreSQL database. */
async function migrateDatabase(databaseUrl: string): Promise<void> {
  await inHome((home) => migrateBoth({ home, databaseUrl }))
}

/**
 * Creates the SQLite files of both environments in a home, and deletes its key, because copies must not share a
 * key.
 */
async function migrateFiles(home: string): Promise<void> {
  await migrateBoth({ home })
  rmSync(keyFilePath(home))
}

async function migrateBoth(place: Pick<Place, 'home' | 'databaseUrl'>): Promise<void> {
  for (const environment of ['test', 'live'] as const) {
    const store = await openStore({ ...place, environment, random: systemRandom })
    await store.close()
    await forgetKeys(place, environment)
  }
}

/** Deletes keys and seals from the template database, so that every copy creates its own. */
async function forgetKeys(place: Pick<Place, 'home' | 'databaseUrl'>, environment: 'test' | 'live') {
  const opened = await openAsIs({ ...place, environment })
  await opened?.store.write(async ({ any }) => {
    for (const table of ['vault_keys', 'seal_log', 'seal_queue', 'checkpoints'])
      await using({ reads: [], schema: true }, sql`delete from ${sql.table(table)}`).execute(any)
  })
  await opened?.store.close()
  resetHead(headPath(place.home, environment), NOTHING_SEALED)
}

function nothing(): undefined {
  return undefined
}
