import type { Pool } from 'pg'
import type { SealedBooks } from '../books/sealed-books.js'
import type { Store } from '../database/store.js'
import { StoreError } from '../database/store-error.js'
import { databaseLocation } from './database-location.js'
import { BESIDE, connectTo, LISTS, openPool, USUAL } from './pool.js'
import { explainPostgresError } from './postgres-errors.js'
import { PostgresStore } from './postgres-store.js'

/** Opens the store of an environment in its schema. The home's key is made on first use of the database. */
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
    const { isUsed, encoding } = await lookAt(pool, place, environments.map(schemaOf))
    // A database in use keeps its encoding.
    if (!isUsed && encoding !== 'UTF8') throw cannotKeepTexts(place, encoding)
    // A missing key beside a used database was lost; a new key could not decrypt the stored values.
    if (!isUsed) makeKey()
  } catch (error) {
    await pool.end()
    throw explainPostgresError(error, place)
  }
  const lists = openPool(databaseUrl, schema, LISTS)
  const beside = openPool(databaseUrl, schema, BESIDE)
  return { store: new PostgresStore({ pool, lists, beside }, place, books), place }
}

function schemaOf(environment: string): string {
  return `payctl_${environment}`
}

interface Found {
  readonly isUsed: boolean
  readonly encoding: string
}

async function lookAt(pool: Pool, place: string, schemas: readonly string[]): Promise<Found> {
  const client = await connectTo(pool, place)
  try {
    const { rows } = await client.query<Found>(
      `select current_setting('server_encoding') as encoding, exists (
         select from pg_tables where tablename = 'migrations' and schemaname = any($1)) as "isUsed"`,
      [schemas],
    )
    return rows[0] ?? { isUsed: false, encoding: '' }
  } finally {
    client.release()
  }
}

/**
 * Error for a new database whose encoding lacks letters. Names of people and shops may be in any language, so
 * the database is refused before the first name fails.
 */
function cannotKeepTexts(place: string, encoding: string): StoreError {
  return new StoreError(
    'refused',
    `The new database at ${place} has the encoding ${encoding}, which lacks letters; create it with encoding UTF8.`,
  )
}
