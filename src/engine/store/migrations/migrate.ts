import { sql } from 'kysely'
import { beginMigration, tableExists, tableNames } from '../database/differences.js'
import type { Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { loadSchema, type Migration, migrations } from './migrations.js'

/** Names of the migrations of a database; empty for a new one. */
export async function appliedMigrations(tx: Tx): Promise<readonly string[]> {
  if (!(await tableExists(tx, 'migrations'))) return []
  const rows = await tx.any.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}

/**
 * Migrations that a database lacks, in order. Throws a `StoreError` if another version made a schema that
 * this version cannot read or complete.
 */
export function missingMigrations(
  applied: readonly string[],
  place: string,
  all: readonly Migration[] = migrations,
): readonly Migration[] {
  const names = all.map(({ name }) => name)
  if (hasOtherLayout(applied, names))
    throw new StoreError(
      'other_layout',
      `The database ${place} has a layout from before the first release; name a new home in PAYCTL_HOME or a new database, or install the version that made it.`,
    )
  const unknown = applied.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new StoreError(
      'newer_version',
      `The database ${place} was made by a newer payctl (${unknown}); install that version to use it.`,
    )
  const missing = all.filter(({ name }) => !applied.includes(name))
  const skipped = missing.find(({ name }) => name < (applied.at(-1) ?? ''))
  if (skipped)
    throw new StoreError(
      'corrupt',
      `The database ${place} lacks the migration ${skipped.name} and has a later one; restore it from a backup.`,
    )
  return missing
}

/** Tables that opening and sealing a database require. */
const FIRST_NEEDED = ['vault_keys', 'seal_log', 'seal_queue', 'checkpoints', 'books_acceptances']

/**
 * Problem of a database whose tables do not match its applied migrations: the record of migrations or a
 * required table is missing. Undefined if there is none.
 */
export async function recordProblem(tx: Tx, applied: readonly string[]): Promise<string | undefined> {
  const tables = await tableNames(tx)
  if (applied.length === 0) {
    const [found] = [...tables].filter((name) => name !== 'migrations')
    return found === undefined
      ? undefined
      : `has tables (${found} among them), and no record of the migrations that made them`
  }
  const lacking = FIRST_NEEDED.filter((name) => !tables.has(name))
  return lacking.length === 0 ? undefined : `lacks the tables ${lacking.join(', ')}`
}

/** Throws a `StoreError` if `recordProblem` finds a problem. */
export async function expectRecorded(tx: Tx, applied: readonly string[], place: string): Promise<void> {
  const problem = await recordProblem(tx, applied)
  if (problem !== undefined)
    throw new StoreError('corrupt', `The database ${place} ${problem}; restore it from a backup.`)
}

/**
 * Whether a database has a different first migration from this version, as versions before the first
 * release may.
 */
export function hasOtherLayout(applied: readonly string[], names: readonly string[]): boolean {
  const [first = ''] = applied
  return first.startsWith('0001_') && first !== names[0]
}

/**
 * Creates the schema, or applies all missing migrations, in one unit of work. Safe if several processes do so at once.
 */
export async function migrate(
  store: Store,
  place: string,
  all: readonly Migration[] = migrations,
): Promise<void> {
  const steps = async (tx: Tx) => {
    await beginMigration(tx)
    const applied = await appliedMigrations(tx)
    const missing = missingMigrations(applied, place, all)
    const isNew = applied.length === 0
    if (isNew) {
      await tx.any.schema.createTable('migrations').addColumn('name', sql`text primary key`).execute()
      await (await loadSchema())(tx)
    }
    for (const { name, load } of missing) {
      if (!isNew) await (await load())(tx)
      await tx.any.insertInto('migrations').values({ name }).execute()
    }
  }
  // Another process may be migrating now.
  await store.write(steps, { patient: true })
}
