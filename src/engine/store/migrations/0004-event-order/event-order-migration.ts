import { sql } from 'kysely'
import type { Migration } from '../builder/migration.js'
import { createIndex } from '../builder/table.js'

/**
 * Which unit of work an event is of, by PostgreSQL's number for it: events of one that commits late have lower ids than
 * some that were delivered already, and are found by it. SQLite has one writer at a time, and leaves it empty.
 */
export const eventOrderMigration: Migration = async (tx) => {
  const { schema } = tx.any
  if (tx.dialect === 'sqlite') {
    await schema.alterTable('events').addColumn('work', sql`integer`).execute()
    await schema.alterTable('fan_out').addColumn('swept_work', sql`integer`).execute()
    return
  }
  const own = sql`pg_current_xact_id()::text::bigint`
  await schema
    .alterTable('events')
    .addColumn('work', sql`bigint`, (column) => column.defaultTo(sql`(${own})`))
    .execute()
  await schema.alterTable('fan_out').addColumn('swept_work', sql`bigint`).execute()
  // The events there are have this unit of work's number, and are looked at again from where the last look ended.
  await sql`update fan_out set swept_work = ${own}`.execute(tx.any)
  await createIndex(tx, 'events', ['work', 'id'])
}
