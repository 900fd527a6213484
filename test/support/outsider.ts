import { join } from 'node:path'
import BetterSqlite from 'better-sqlite3'
import pg from 'pg'
import type { Environment } from '../../src/engine/store/database/store.js'
import type { Place } from './databases.js'

/** Changes the database of the test environment with SQL statements, bypassing payctl. */
export async function asOutsider(place: Place, ...statements: readonly string[]): Promise<void> {
  await asOutsiderIn('test', place, ...statements)
}

/** Changes the database of the given environment with SQL statements, bypassing payctl. */
export async function asOutsiderIn(
  environment: Environment,
  place: Place,
  ...statements: readonly string[]
): Promise<void> {
  if (place.databaseUrl === undefined) {
    const database = new BetterSqlite(join(place.home, `${environment}.db`))
    try {
      database.pragma('foreign_keys = OFF')
      for (const statement of statements) database.exec(statement)
    } finally {
      database.close()
    }
    return
  }
  const client = new pg.Client(place.databaseUrl)
  await client.connect()
  try {
    await client.query(`set search_path to payctl_${environment}`)
    await client.query("set session_replication_role = 'replica'")
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Resolves when all commits are sealed. */
export async function booksSealed({ databaseUrl }: Place): Promise<void> {
  if (databaseUrl === undefined) return
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    for (let left = 1; left > 0; )
      left = (await client.query('select id from payctl_test.seal_queue')).rows.length
  } finally {
    await client.end()
  }
}
