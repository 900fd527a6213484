import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnType, RowValues, Stored } from '../../../schema/columns.js'
import { foldedText, lettersFoldedTo } from '../../../schema/folded-text.js'
import { prepared } from './prepared.js'
import { scalar, using } from './raw-use.js'
import type { SqlDialect, Tx } from './store.js'

/**
 * What differs between SQLite and PostgreSQL, so that everything else is written once. Each function means the
 * same on both.
 */

/**
 * What a row is locked for until the unit of work ends. A reference keeps others from deleting it, a change also from
 * changing it, and a deletion also from naming it, so that a deleted row is never named.
 */
export type RowLock = 'reference' | 'change' | 'deletion'

/** Locks the selected rows until the unit of work ends. SQLite has one writer at a time anyway. */
export function lockRows<DB, T extends keyof DB, O>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, T, O>,
  lock: RowLock = 'change',
): SelectQueryBuilder<DB, T, O> {
  if (dialect === 'sqlite') return query
  switch (lock) {
    case 'reference':
      return query.forKeyShare()
    case 'change':
      return query.forNoKeyUpdate()
    case 'deletion':
      return query.forUpdate()
  }
}

/** The same, skipping rows that are locked already, for work that several processes share. */
export function takeRows<DB, T extends keyof DB, O>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, T, O>,
): SelectQueryBuilder<DB, T, O> {
  return dialect === 'postgres' ? query.forNoKeyUpdate().skipLocked() : query
}

/**
 * Since when the oldest unit of work runs that may still commit, in milliseconds since 1970 by the server's clock;
 * undefined when there is none. On SQLite there is never another one.
 */
export async function oldestWork({ dialect, any }: Tx): Promise<number | undefined> {
  if (dialect === 'sqlite') return undefined
  const oldest = sql<{ since: number | null }>`
    select cast(extract(epoch from min(xact_start)) * 1000 as bigint) as since from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`
  const { rows } = await using({ reads: [] }, oldest).execute(any)
  return rows[0]?.since ?? undefined
}

/**
 * PostgreSQL's numbers of units of work: all below `settled` have ended, and none from `next` on has begun. On another
 * server the numbers are others.
 */
export async function workNumbers({ any }: Tx): Promise<{ readonly settled: number; readonly next: number }> {
  const numbers = sql<{ settled: number; next: number }>`
    select pg_snapshot_xmin(now)::text::bigint as settled, pg_snapshot_xmax(now)::text::bigint as next
    from pg_current_snapshot() as now`
  const { rows } = await using({ reads: [] }, numbers).execute(any)
  return rows[0] ?? { settled: 0, next: 0 }
}

/** The time of the database's server, in milliseconds since 1970, to compare `oldestWork` with; 0 on SQLite. */
export async function databaseTime({ dialect, any }: Tx): Promise<number> {
  if (dialect === 'sqlite') return 0
  const time = sql<{
    now: number
  }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`
  const { rows } = await using({ reads: [] }, time).execute(any)
  return rows[0]?.now ?? 0
}

/** Makes units of work that name the same thing run one after another. SQLite has one writer at a time anyway. */
export async function waitForName(tx: Tx, name: string): Promise<void> {
  if (tx.dialect === 'postgres') await tx.run(lockName, { name })
}

/** Waits on PostgreSQL until nobody else has a name, and keeps it until the unit of work ends. */
export const lockName = prepared<{ name: string }, object>((db, param) => ({
  compile: () =>
    using(
      { reads: [] },
      sql<object>`select pg_advisory_xact_lock(hashtextextended(${param('name')}, 0))`,
    ).compile(db),
}))

/** Whether a text is one of a JSON list of texts: one parameter and one statement, however many there are. */
export function isAmong(
  dialect: SqlDialect,
  text: Expression<unknown>,
  json: string | Expression<string>,
): Expression<SqlBool> {
  return dialect === 'postgres'
    ? scalar(sql<SqlBool>`${text} = any(array(select jsonb_array_elements_text(cast(${json} as jsonb))))`)
    : scalar(sql<SqlBool>`${text} in (select value from json_each(${json}))`)
}

/** Functions of SQLite that its connections define: whether a text contains another, or begins with it. */
export const CONTAINS = 'payctl_contains'
export const BEGINS_WITH = 'payctl_begins_with'

/** Whether a text contains another, as searches compare texts: see `foldedText`. */
export function contains(
  dialect: SqlDialect,
  column: Expression<unknown>,
  part: string,
): Expression<SqlBool> {
  const folded = foldedText(part)
  return dialect === 'postgres'
    ? sql<SqlBool>`strpos(${foldedFor(column, folded)}, ${folded}) > 0`
    : sql<SqlBool>`${sql.raw(CONTAINS)}(cast(${column} as text), ${folded})`
}

/** The same for a text that begins with another. */
export function beginsWith(
  dialect: SqlDialect,
  column: Expression<unknown>,
  part: string,
): Expression<SqlBool> {
  const folded = foldedText(part)
  return dialect === 'postgres'
    ? sql<SqlBool>`starts_with(${foldedFor(column, folded)}, ${folded})`
    : sql<SqlBool>`${sql.raw(BEGINS_WITH)}(cast(${column} as text), ${folded})`
}

/**
 * A column of PostgreSQL folded as far as a folded part is concerned, whatever the locale of the server: letters that
 * fold to none of its characters stay as they are.
 */
function foldedFor(column: Expression<unknown>, part: string): RawBuilder<string> {
  const letters = [...new Set([...part].flatMap(lettersFoldedTo))]
  const composed = sql<string>`normalize(cast(${column} as text) collate "C", NFC)`
  const expanded = letters
    .filter(({ folded }) => [...folded].length > 1)
    .reduce((text, { letter, folded }) => sql<string>`replace(${text}, ${letter}, ${folded})`, composed)
  const single = letters.filter(({ folded }) => [...folded].length === 1)
  if (single.length === 0) return expanded
  const from = single.map(({ letter }) => letter).join('')
  return sql<string>`translate(${expanded}, ${from}, ${single.map(({ folded }) => folded).join('')})`
}

/**
 * A value inside a JSON column, as text: a string without its quotes, anything else as JSON writes it; null where
 * there is none. `column` is a reference such as `transactions.attrs`; digits as a key are an index or a name.
 */
export function jsonText(dialect: SqlDialect, column: string, keys: readonly string[]): Expression<Stored> {
  const json = sql.ref<Stored>(column)
  if (dialect === 'postgres')
    return sql<Stored>`(cast(${json} as json) #>> ${sql.val([...keys])}) collate "C"`
  const { inner, path } = descend(json, keys)
  return sql<Stored>`(case json_type(${inner}, ${path}) when 'text' then ${inner} ->> ${path} when 'null' then null else ${inner} -> ${path} end)`
}

/** The same where it is a string (or a number); null where it is anything else. */
export function jsonOnly(
  dialect: SqlDialect,
  type: 'string' | 'number',
  column: string,
  keys: readonly string[],
): Expression<Stored> {
  const json = sql.ref<Stored>(column)
  if (dialect === 'postgres') {
    const at = sql.val([...keys])
    const text = sql`cast(${json} as json) #>> ${at}`
    const value = type === 'string' ? sql`(${text}) collate "C"` : sql`cast(${text} as double precision)`
    return sql<Stored>`(case json_typeof(cast(${json} as json) #> ${at}) when ${sql.lit(type)} then ${value} end)`
  }
  const { inner, path } = descend(json, keys)
  const types = type === 'string' ? sql`'text'` : sql`'integer', 'real'`
  return sql<Stored>`(case when json_type(${inner}, ${path}) in (${types}) then ${inner} ->> ${path} end)`
}

/**
 * A JSON column as text. SQLite replaces a column by the value that it is compared with, also where JSON is read from
 * it, and then fails; the cast hides the column from that optimization.
 */
export function wholeJson(column: string): Expression<Stored> {
  return sql<Stored>`cast(${sql.ref(column)} as text)`
}

/** Whether `holds` is true for an attribute of any object in a JSON list. */
export function someItem(
  dialect: SqlDialect,
  list: string,
  attribute: { readonly name: string; readonly type: ColumnType },
  holds: (value: Expression<Stored>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const json = sql.ref(list)
  const name = sql.lit(attribute.name)
  if (dialect === 'sqlite')
    return sql<SqlBool>`exists (select 1 from json_each(${json}) as item where ${holds(sql`(item.value ->> ${name})`)})`
  const text = sql`item.value ->> ${name}`
  const value = attribute.type === 'text' ? sql`(${text}) collate "C"` : sql`cast(${text} as bigint)`
  return sql<SqlBool>`exists (select 1 from json_array_elements(cast(${json} as json)) as item(value) where ${holds(sql<Stored>`(${value})`)})`
}

/** Whether a JSON column holds a list with this text among its items. */
export function jsonListHas(dialect: SqlDialect, column: string, item: string): Expression<SqlBool> {
  const json = sql.ref(column)
  const [items, value] =
    dialect === 'postgres'
      ? [sql`json_array_elements_text(cast(${json} as json))`, sql.ref('item.value')]
      : [sql`json_each(${json})`, sql.ref('item.value')]
  const alias = dialect === 'postgres' ? sql`item(value)` : sql`item`
  return sql<SqlBool>`exists (select 1 from ${items} as ${alias} where ${value} = ${item})`
}

/** SQLite's paths distinguish the index of a list from a name in an object, so digits are looked up in a step of their own. */
function descend(
  json: Expression<unknown>,
  keys: readonly string[],
): { inner: Expression<unknown>; path: Expression<string> } {
  let inner = json
  let path = '$'
  for (const key of keys) {
    if (/^\d{1,9}$/.test(key)) {
      const list = sql.val(`$[${Number(key)}]`)
      const object = sql.val(`$.${label(key)}`)
      inner = sql`(select case json_type(j) when 'array' then j -> ${list} else j -> ${object} end from (select ${inner} -> ${sql.val(path)} as j))`
      path = '$'
    } else path += `.${label(key)}`
  }
  return { inner, path: sql.val(path) }
}

function label(key: string): string {
  return JSON.stringify(key)
}

/** Whether the environment has a table of this name. */
export async function tableExists({ any, dialect }: Tx, name: string): Promise<boolean> {
  const found =
    dialect === 'postgres'
      ? sql`select 1 where to_regclass(${name}) is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = ${name}`
  return (await using({ reads: [] }, found).execute(any)).rows.length > 0
}

/** The names of an environment's tables; none in a new database. */
export async function tableNames({ any, dialect }: Tx): Promise<ReadonlySet<string>> {
  const names =
    dialect === 'postgres'
      ? sql<{ name: string }>`select tablename as name from pg_tables where schemaname = current_schema()`
      : sql<{
          name: string
        }>`select name from sqlite_master where type = 'table' and name not like 'sqlite_%'`
  const { rows } = await using({ reads: [] }, names).execute(any)
  return new Set(rows.map(({ name }) => name))
}

/**
 * Lets one process at a time change the schema, and on PostgreSQL makes the environment's schema, which is first in
 * the search path. On SQLite a unit of work is alone already.
 */
export async function beginMigration({ any, dialect }: Tx): Promise<void> {
  if (dialect === 'sqlite') return
  // An index of a large table takes longer than what the user or the database lets statements and transactions take.
  const unlimited = sql`
    select set_config(name, '0', true) from pg_settings
    where name in ('statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`
  const alone = sql`select pg_advisory_xact_lock(hashtextextended(current_setting('search_path'), 0))`
  const path = sql<{ name: string; there: boolean }>`
    select path as name, to_regnamespace(path) is not null as there
    from current_setting('search_path') as path`
  await using({ reads: [] }, unlimited).execute(any)
  await using({ reads: [] }, alone).execute(any)
  const { rows } = await using({ reads: [] }, path).execute(any)
  for (const { name, there } of rows)
    if (!there) await using({ reads: [], schema: true }, sql`create schema ${sql.raw(name)}`).execute(any)
}

/** A computed text that compares by its bytes, as columns do. */
export function asText(dialect: SqlDialect, expression: RawBuilder<unknown>): Expression<Stored> {
  return dialect === 'postgres' ? sql<Stored>`(${expression}) collate "C"` : sql<Stored>`(${expression})`
}

/** The most columns that `selectList` takes: a function of SQLite takes no more arguments. */
export const MAX_COLUMNS = 120

/**
 * Columns to select, of which `listOf` makes a list of values. The driver of SQLite takes twice as long to hand over many
 * values as SQLite takes to write them as one JSON text and V8 to read that.
 */
export function selectList(dialect: SqlDialect, columns: readonly string[]): RawBuilder<unknown> {
  const refs = sql.join(columns.map((column) => sql.ref(column)))
  return dialect === 'sqlite' ? sql`json_array(${refs})` : refs
}

export function listOf(dialect: SqlDialect, values: RowValues): RowValues {
  return dialect === 'sqlite' ? JSON.parse(String(values[0])) : values
}
