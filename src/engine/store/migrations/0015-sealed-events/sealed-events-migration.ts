import { sealAll } from '../../books/seal-all.js'
import { sealedTables } from '../../books/sealed-table.js'
import type { Migration } from '../builder/migration.js'

/** Events of what is no transaction are sealed since. */
export const sealedEventsMigration: Migration = async (tx, keyed) => {
  await sealAll(
    tx,
    keyed,
    [...sealedTables().values()].filter(({ table }) => table === 'events'),
  )
}
