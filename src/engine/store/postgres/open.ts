import type { Pool } from 'pg'
import type { SealedBooks } from '../books/sealed-books.js'
import type { Store } from '../database/store.js'
import { explainPostgresError } from './errors.js'
import { connectTo, databaseLocation, LISTS, openPool, USUAL } from './pool.js'
import { PostgresStore } from './store.js'

/** The store of an environment in its schema; the home's key is made on first use of the database. */
export async function openPostgres(
  databaseUrl: string,
  environment: string,
  environments: readonly string[],
  makeKey: () => void,
  books?: SealedBooks,
): Promise<{ store: Store; place: string }> {
  const place = databaseLocation(databaseUrl)
  const schema = schemaOf(environment)
  const pool = openPool(databaseUrl, schema, USUAL)
  try {
    // A key that is missing beside a database was lost; a new one could not open what the old one sealed.
    if (!(await isUsed(pool, place, environments.map(schemaOf)))) makeKey()
  } catch (error) {
    await pool.end()
    throw explainPostgresError(error, place)
  }
  const lists = openPool(databaseUrl, schema, LISTS)
  return { store: new PostgresStore({ pool, lists }, place, books), place }
}

function schemaOf(environment: string): string {
  return `payctl_${environment}`
}

async function isUsed(pool: Pool, place: string, schemas: readonly string[]): Promise<boolean> {
  const client = await connectTo(pool, place)
  try {
    const { rowCount } = await client.query(
      `select 1 from pg_tables where tablename = 'migrations' and schemaname = any($1)`,
      [schemas],
    )
    return rowCount !== 0
  } finally {
    client.release()
  }
}
