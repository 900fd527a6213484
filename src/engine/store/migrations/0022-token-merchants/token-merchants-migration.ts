import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'

/** For which merchant at its gateway a token stands: others do not know it. */
export const tokenMerchantsMigration: Migration = async ({ any, dialect }) => {
  const text = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  await any.schema.alterTable('payment_methods').addColumn('token_merchant', text).execute()
}
