import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import type { Place } from './databases.js'
import { asOutsider } from './outsider.js'

/** A row as an attacker copied it from the database of a test environment. */
export type StolenRow = Readonly<Record<string, unknown>>

/** Copies the rows of a table that match a condition. */
export async function stolenRows(place: Place, table: string, where: string): Promise<readonly StolenRow[]> {
  const query = `select * from ${table} where ${where} order by id`
  if (place.databaseUrl === undefined) {
    const database = new BetterSqlite(join(place.home, 'test.db'), { readonly: true })
    try {
      return database.prepare<unknown[], StolenRow>(query).all()
    } finally {
      database.close()
    }
  }
  const client = new pg.Client(place.databaseUrl)
  await client.connect()
  try {
    await client.query('set search_path to payctl_test')
    return (await client.query<StolenRow>(query)).rows
  } finally {
    await client.end()
  }
}

/** Writes copied rows over the rows with the same ids. */
export async function putBack(place: Place, table: string, rows: readonly StolenRow[]): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row)
    const values = Object.values(row).map(literal)
    await asOutsider(
      place,
      `delete from ${table} where id = ${literal(row['id'])}`,
      `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`,
    )
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  return `'${String(value).replaceAll("'", "''")}'`
}
