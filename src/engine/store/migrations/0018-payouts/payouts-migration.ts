import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'

/** How a processing account is paid. */
export const payoutsMigration: Migration = async ({ any, dialect }) => {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await any.schema.alterTable('accounts').addColumn('processing__payouts', text).execute()
}
