import type { Client } from 'pg'

/** Initial state of a database: its schema, and the rows that the migrations wrote. */
export interface Origin {
  readonly schema: string
  readonly bytes: number
  readonly rows: readonly { readonly table: string; readonly rows: unknown }[]
}

/**
 * Maximum growth of a database in bytes. A larger database is not reused, because later suites would scan the
 * space of deleted rows.
 */
const MAX_GROWTH = 4 * 1024 * 1024

/** Query for every table that was ever written, by its SQL name. */
const TABLES = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema')
    and pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0
  order by 1`

/** Catalogs of the schema, and of the planner's statistics. */
const CATALOGS = [
  'pg_class',
  'pg_attribute',
  'pg_constraint',
  'pg_index',
  'pg_trigger',
  'pg_proc',
  'pg_namespace',
  'pg_statistic',
]

/**
 * Query for a text that changes with every change of the schema: the newest row version and the number of rows
 * of each catalog.
 */
const SCHEMA = `select concat_ws(' ', ${CATALOGS.map(
  (catalog) => `(select count(*) || ':' || max(xmin::text::bigint) from ${catalog})`,
).join(', ')}) as schema`

const OTHERS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

const SEQUENCES = `select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences`

export async function originOf(client: Client): Promise<Origin> {
  const rows = []
  for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
    const found = await client.query<{ rows: unknown }>(
      `select jsonb_agg(to_jsonb(t)) as rows from ${name} t`,
    )
    if (found.rows[0]?.rows) rows.push({ table: name, rows: found.rows[0].rows })
  }
  return { ...(await sizeAndSchema(client)), rows }
}

/**
 * Restores a database to its state after the migrations, which is much faster than making another one.
 * Returns false if a suite changed more than rows, or made the database large.
 */
export async function cleared(client: Client, origin: Origin): Promise<boolean> {
  await client.query(OTHERS)
  const { schema, bytes } = await sizeAndSchema(client)
  if (schema !== origin.schema || bytes > origin.bytes + MAX_GROWTH) return false
  const { rows: tables } = await client.query<{ name: string }>(TABLES)
  await client.query(
    [
      'begin',
      'set local session_replication_role = replica',
      ...tables.map(({ name }) => `delete from ${name}`),
    ].join('; '),
  )
  for (const { table, rows } of origin.rows)
    await client.query(
      `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(rows)],
    )
  await client.query(`${SEQUENCES}; commit`)
  return true
}

async function sizeAndSchema(client: Client): Promise<Pick<Origin, 'schema' | 'bytes'>> {
  const { rows } = await client.query<{ schema: string }>(SCHEMA)
  const size = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
  const [{ schema } = { schema: '' }] = rows
  return { schema, bytes: Number(size.rows[0]?.bytes) }
}
