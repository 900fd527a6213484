import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { createIndex } from '../builder/table.js'

/** Postings with which a transaction begins are found by their ids since, which are like its own; all others by this index. */
export const ownPostingsMigration: Migration = async (tx) => {
  await tx.any.schema.dropIndex('postings_by_transaction_id').execute()
  await createIndex(tx, 'postings', ['transaction_id'], {
    where: sql<boolean>`substr(id, 1, 20) <> substr(transaction_id, 5, 20)`,
  })
}
