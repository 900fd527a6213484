import type { Migration } from '../builder/migration.js'
import { addColumns } from '../builder/table.js'

/** For which merchant at its gateway a token stands: others do not know it. */
export const tokenMerchantsMigration: Migration = async (tx) => {
  await addColumns(tx, 'payment_methods', { token_merchant: 'text' })
}
