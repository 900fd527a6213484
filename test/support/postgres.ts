import pg from 'pg'
import { cleared, type Origin, originOf } from './cleared-database.js'
import { type PostgresServer, startPostgres } from './postgres-server.js'
import { runFolder } from './run-folder.js'

/** A migrated database from which others are copied, and its initial state. */
interface Template {
  readonly name: string
  readonly origin: Origin
}

/** On a busy machine the server may take long to accept a connection, so the addresses allow a minute. */
const PATIENT = '?connect_timeout=60'

let server: Promise<PostgresServer> | undefined
let template: Promise<Template> | undefined
let databases = 0
/** Addresses of databases that suites have released and that were restored to their initial state. */
const free: string[] = []

/** The address of a new, empty database on this run's server, which is started on demand. */
export async function emptyDatabase(): Promise<string> {
  return create('template1')
}

/** The address of a new, migrated database. `migrate` runs once; later databases are copies. */
export async function migratedDatabase(migrate: (url: string) => Promise<void>): Promise<string> {
  template ??= emptyDatabase().then(async (url) => {
    await migrate(url)
    return { name: new URL(url).pathname.slice(1), origin: await connected(url, originOf) }
  })
  const { name } = await template
  return free.pop() ?? (await create(name))
}

/**
 * Releases a database of `migratedDatabase` for another suite. The database is renamed, so that leftover
 * connections of this suite cannot write into it.
 */
export async function giveBack(url: string): Promise<void> {
  const known = await template
  if (!known || !(await connected(url, (client) => cleared(client, known.origin)))) return
  const name = nextName()
  const renaming = `alter database ${new URL(url).pathname.slice(1)} rename to ${name}`
  const { url: base } = await running()
  const isRenamed = await connected(`${base}postgres`, (client) => client.query(renaming)).then(
    () => true,
    // Someone still uses the database, so the rename failed and the database is not reused.
    () => false,
  )
  if (isRenamed) free.push(`${base}${name}${PATIENT}`)
}

export async function stopPostgres(): Promise<void> {
  const started = await server
  await started?.stop()
  server = undefined
  template = undefined
  free.length = 0
}

async function create(from: string): Promise<string> {
  const { url } = await running()
  const name = nextName()
  await connected(`${url}postgres`, (client) =>
    client.query(`create database ${name} template ${from} strategy file_copy`),
  )
  return `${url}${name}${PATIENT}`
}

function running(): Promise<PostgresServer> {
  server ??= startPostgres({ parent: runFolder })
  return server
}

function nextName(): string {
  return `suite_${++databases}`
}

/** Runs `use` with a connection of its own to a database. */
export async function connected<T>(
  connectionString: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
