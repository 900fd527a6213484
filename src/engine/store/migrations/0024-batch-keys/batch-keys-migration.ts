import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'

/** Batches may have a column that identifies their rows; what such a row was when it was done is kept, to see that it was edited. */
export const batchKeysMigration: Migration = async ({ any, dialect }) => {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await any.schema.alterTable('batches').addColumn('key', text).execute()
  await any.schema.alterTable('batch_rows').addColumn('content', text).execute()
}
