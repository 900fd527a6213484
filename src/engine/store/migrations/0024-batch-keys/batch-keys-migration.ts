import type { Migration } from '../builder/migration.js'
import { addColumns } from '../builder/table.js'

/** Batches may have a column that identifies their rows; what such a row was when it was done is kept, to see that it was edited. */
export const batchKeysMigration: Migration = async (tx) => {
  await addColumns(tx, 'batches', { key: 'text' })
  await addColumns(tx, 'batch_rows', { content: 'text' })
}
