import type { Migration } from '../builder/migration.js'
import { createTable } from '../builder/table.js'

/** By which keys of the key file the database is sealed and hashed. */
export const vaultKeysMigration: Migration = async (tx) => {
  await createTable(tx, 'vault_keys', {
    id: 'text required',
    fingerprint: 'text required',
    retired_at: 'text',
  })
}
