import type { Migration } from '../builder/migration.js'
import { addColumns } from '../builder/table.js'

/** New commits of the log name their rows in bytes; those that there are keep their texts. */
export const packedNamesMigration: Migration = async (tx) => {
  await addColumns(tx, 'seal_log', { packed_names: 'bytes' })
}
