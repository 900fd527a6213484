import pg from 'pg'
import { type PostgresServer, startPostgres } from './postgres-server.js'

let server: Promise<PostgresServer> | undefined
let template: Promise<string> | undefined
let databases = 0

/** The address of a new, empty database on the one server of this run, which starts when it is first needed. */
export async function emptyDatabase(): Promise<string> {
  return create('template1')
}

/** The same, with what `migrate` makes of an empty one: it runs once, and later databases are copies of that. */
export async function migratedDatabase(migrate: (url: string) => Promise<void>): Promise<string> {
  template ??= emptyDatabase().then(async (url) => {
    await migrate(url)
    return new URL(url).pathname.slice(1)
  })
  return create(await template)
}

export async function stopPostgres(): Promise<void> {
  const running = await server
  await running?.stop()
  server = undefined
  template = undefined
}

async function create(from: string): Promise<string> {
  server ??= startPostgres()
  const { url } = await server
  const name = `suite_${++databases}`
  const client = new pg.Client({ connectionString: `${url}postgres` })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${from} strategy file_copy`)
  } finally {
    await client.end()
  }
  return `${url}${name}`
}
