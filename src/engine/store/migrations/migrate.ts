import { sql } from 'kysely'
import { beginMigration, tableExists } from '../database/differences.js'
import type { Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { type Migration, migrations } from './migrations.js'

/** The names of the migrations that a database has; none when it was never used. */
export async function appliedMigrations(tx: Tx): Promise<readonly string[]> {
  if (!(await tableExists(tx, 'migrations'))) return []
  const rows = await tx.any.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}

/**
 * The migrations that a database lacks, in their order. Throws a `StoreError` when it was made by another version whose
 * schema this one cannot read or complete.
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

/** Whether a database has another first migration than this version, as before the first release it may. */
export function hasOtherLayout(applied: readonly string[], names: readonly string[]): boolean {
  const [first = ''] = applied
  return first.startsWith('0001_') && first !== names[0]
}

/** Brings a database to the newest schema, all or nothing; safe when several processes do it at once. */
export async function migrate(
  store: Store,
  place: string,
  all: readonly Migration[] = migrations,
): Promise<void> {
  const steps = async (tx: Tx) => {
    await beginMigration(tx)
    const applied = await appliedMigrations(tx)
    const missing = missingMigrations(applied, place, all)
    if (applied.length === 0)
      await tx.any.schema.createTable('migrations').addColumn('name', sql`text primary key`).execute()
    for (const { name, load } of missing) {
      const step = await load()
      await step(tx)
      await tx.any.insertInto('migrations').values({ name }).execute()
    }
  }
  // Another process may be at it.
  await store.write(steps, { patient: true })
}
