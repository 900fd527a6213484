import { sql } from 'kysely'
import type { App } from '../../../../src/app.js'
import type { Environment, Tx } from '../../../../src/engine/store/database/store.js'

/**
 * All stored data of an environment, as one text per table, for comparisons. Seals are omitted: they follow
 * from the data, on PostgreSQL with a delay.
 */
export async function digest(app: App, environment: Environment = 'test'): Promise<Map<string, string>> {
  const { read } = (await app.environment(environment)).core
  return await read(async ({ tx }) => {
    const stored = new Map<string, string>()
    for (const table of await tablesOf(tx)) stored.set(table, await contentOf(tx, table))
    return stored
  })
}

async function tablesOf(tx: Tx): Promise<string[]> {
  const tables = await tx.any.introspection.getTables()
  return [...new Set(tables.map(({ name }) => name))]
    .filter((name) => !/^((sqlite|kysely|seal)_|checkpoints$)/.test(name))
    .sort()
}

async function contentOf(tx: Tx, table: string): Promise<string> {
  const { rows } = await sql`select * from ${sql.table(table)}`.execute(tx.any)
  return rows
    .map((row) => JSON.stringify(row))
    .sort()
    .join('\n')
}
