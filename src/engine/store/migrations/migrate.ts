import { sql } from 'kysely'
import type { KeyedHash } from '../books/seal-log.js'
import { beginMigration, tableExists } from '../database/differences.js'
import type { Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { migrationNames } from './builder/migration.js'

/** The names of the migrations that a database has; nothing when it was never used. */
export async function applied(tx: Tx): Promise<readonly string[]> {
  if (!(await tableExists(tx, 'migrations'))) return []
  const rows = await tx.any.selectFrom('migrations').select('name').orderBy('name').execute()
  return rows.map(({ name }) => String(name))
}

/** Whether every migration is applied. Throws when the database has one that this version does not know. */
export function isUpToDate(has: readonly string[], place: string): boolean {
  const known = new Set<string>(migrationNames)
  const unknown = has.find((name) => !known.has(name))
  if (unknown)
    throw new StoreError(
      'newer_version',
      `The database ${place} was made by a newer payctl (${unknown}); install that version to use it.`,
    )
  return has.length === migrationNames.length
}

/** Brings a database to the newest schema, all or nothing; safe when several processes do it at once. */
export async function migrate(store: Store, place: string, keyed: KeyedHash): Promise<void> {
  const { migrations } = await import('./all.js')
  const steps = async (tx: Tx) => {
    await beginMigration(tx)
    const has = await applied(tx)
    if (isUpToDate(has, place)) return
    if (has.length === 0)
      await tx.any.schema.createTable('migrations').addColumn('name', sql`text primary key`).execute()
    for (const name of migrationNames.filter((each) => !has.includes(each))) {
      await migrations[name](tx, keyed)
      await tx.any.insertInto('migrations').values({ name }).execute()
    }
  }
  // Another process may be at it.
  await store.write(steps, { patient: true })
}
