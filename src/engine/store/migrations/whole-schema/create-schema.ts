import { sql } from 'kysely'
import { resources } from '../../../../resources/resource-table.js'
import { tableNameOf } from '../../../../schema/resource.js'
import type { Tx } from '../../database/store.js'
import { createIndex } from '../builder/table-builder.js'
import { indexes, NEWEST_FIRST } from './indexes.js'
import { createResourceTable } from './resource-tables.js'
import { createServiceTables } from './service-tables.js'

/**
 * Creates the schema of this version, with all tables: those of resources, the journal, the outbox, stored answers and
 * sealed books.
 */
export async function createSchema(tx: Tx): Promise<void> {
  const declarations = Object.values(resources).filter((declaration) => !('view' in declaration))
  for (const declaration of declarations) await createResourceTable(tx, declaration)
  await createServiceTables(tx)
  for (const declaration of declarations) await createIndex(tx, tableNameOf(declaration), NEWEST_FIRST)
  for (const [table, columns, options] of indexes) await createIndex(tx, table, columns, options)
  if (tx.dialect === 'postgres') await orderEvents(tx)
}

/**
 * Stores PostgreSQL's transaction number with each event. Events of a transaction that commits late may
 * have lower ids than events already delivered, and are found by that number. SQLite has one writer at a
 * time and leaves the column null.
 */
async function orderEvents(tx: Tx): Promise<void> {
  await tx.any.schema
    .alterTable('events')
    .alterColumn('work', (column) => column.setDefault(sql`pg_current_xact_id()::text::bigint`))
    .execute()
  await createIndex(tx, 'events', ['work', 'id'])
}
