import type { Migration } from '../builder/migration.js'
import { addColumns } from '../builder/table.js'

/** Organizations have logos, which payers see. */
export const logosMigration: Migration = async (tx) => {
  await addColumns(tx, 'orgs', { logo: 'text' })
}
