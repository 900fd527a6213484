import type { Migration } from '../builder/migration.js'
import { addColumns } from '../builder/table.js'

/** How a processing account is paid. */
export const payoutsMigration: Migration = async (tx) => {
  await addColumns(tx, 'accounts', { processing__payouts: 'text' })
}
