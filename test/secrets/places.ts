import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import pg from 'pg'
import type { Place as Database } from '../support/databases.js'
import type { Place } from './look.js'

/** Everything stored: every file of the home except the key file, and on PostgreSQL every row of every table. */
export async function kept({ home, databaseUrl }: Database): Promise<Place[]> {
  return [...filesOf(home), ...(databaseUrl === undefined ? [] : await tablesOf(databaseUrl))]
}

function filesOf(home: string): Place[] {
  return readdirSync(home, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name !== 'payctl.key')
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ where: relative(home, path), content: readFileSync(path) }))
}

/**
 * One place per table, with its rows as text. They are searched as bytes, because PostgreSQL's transaction ids
 * may equal a card code.
 */
async function tablesOf(databaseUrl: string): Promise<Place[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema like 'payctl%' and table_type = 'BASE TABLE' order by name`,
    )
    const places: Place[] = []
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`)
      places.push({ where: name, content: Buffer.from(rows.map(({ text }) => text).join('\n')) })
    }
    return places
  } finally {
    await client.end()
  }
}
