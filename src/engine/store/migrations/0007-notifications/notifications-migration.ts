import type { Migration } from '../builder/migration.js'
import { createIndex, createTable, resourceColumns } from '../builder/table.js'

/** What gateways say by themselves, as it came, and whether it was handled. */
export const notificationsMigration: Migration = async (tx) => {
  await createTable(tx, 'admin_gateway_notifications', {
    ...resourceColumns,
    gateway: 'text',
    event_id: 'text',
    type: 'text',
    about: 'text',
    reference: 'text',
    gateway_id: 'text',
    status: 'text',
    problem: 'text',
    raw: 'text',
    handled_at: 'text',
  })
  await createIndex(tx, 'admin_gateway_notifications', ['created_at', 'id'])
  await createIndex(tx, 'admin_gateway_notifications', ['status', 'created_at'])
  await createIndex(tx, 'admin_gateway_notifications', ['event_id', 'gateway'], { unique: true })
}
