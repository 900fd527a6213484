import { sealAll } from '../../books/seal-all.js'
import type { Migration } from '../builder/migration.js'
import { createTable } from '../builder/table.js'

/** The log of sealed books. What a database holds by then is what it begins with. */
export const sealedBooksMigration: Migration = async (tx, keyed) => {
  await createTable(tx, 'seal_log', {
    id: 'integer required',
    entries: 'text required',
    leaves: 'bytes required',
    hash: 'text required',
    mac: 'text required',
  })
  await createTable(tx, 'seal_queue', {
    id: 'counter required',
    entries: 'text required',
    leaves: 'bytes required',
    mac: 'text required',
  })
  await createTable(tx, 'checkpoints', {
    id: 'integer required',
    hash: 'text required',
    signed_at: 'text required',
    signature: 'text required',
  })
  await createTable(tx, 'books_acceptances', {
    id: 'text required',
    reason: 'text required',
    problem: 'text required',
    accepted_at: 'text required',
  })
  await sealAll(tx, keyed)
}
