import type { Migration } from '../builder/migration.js'

/** SQLite keeps answers in the order in which they were stored, so that no index has to lead to the old ones. */
export const storedOrderMigration: Migration = async ({ any, dialect }) => {
  if (dialect === 'sqlite') await any.schema.dropIndex('idempotency_records_by_created_at').execute()
}
