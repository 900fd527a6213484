import { sql } from 'kysely'
import { sealAll } from '../../books/seal-all.js'
import { sealedTables } from '../../books/sealed-table.js'
import type { Migration } from '../builder/migration.js'
import { createIndex } from '../builder/table.js'

/**
 * Each processing account has a currency, and those that there are have the only one there was. Which one is the oldest
 * is read from an index.
 */
export const currenciesMigration: Migration = async (tx, keyed) => {
  const text = tx.dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const known = sql<boolean>`currency in ('USD')`
  await tx.any.schema
    .alterTable('accounts')
    .addColumn('currency', text, (column) => column.check(known))
    .execute()
  await sql`update accounts set currency = 'USD' where type = 'processing'`.execute(tx.any)
  await sealAll(
    tx,
    keyed,
    [...sealedTables().values()].filter(({ table }) => table === 'accounts'),
  )
  await createIndex(tx, 'accounts', ['type', 'id'], { where: sql<boolean>`deleted_at is null` })
}
