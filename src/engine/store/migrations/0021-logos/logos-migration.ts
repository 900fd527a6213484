import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'

/** Organizations have logos, which payers see. */
export const logosMigration: Migration = async ({ any, dialect }) => {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await any.schema.alterTable('orgs').addColumn('logo', text).execute()
}
