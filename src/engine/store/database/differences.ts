import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnType, Stored } from '../../../schema/columns.js'
import { foldedText, lettersFoldedTo } from '../../../schema/folded-text.js'
import { prepared } from './prepared.js'
import { scalar, using } from './raw-use.js'
import type { SqlDialect, Tx } from './store.js'

/**
 * Differences between SQLite and PostgreSQL, so that all other code is written once. Each function has the
 * same meaning on both.
 */

/**
 * Purpose of a row lock, which lasts until the unit of work ends. `reference`: other units of work cannot
 * delete the row. `change`: they cannot change it either. `deletion`: they cannot reference it either, so
 * no deleted row is ever referenced.
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

/**
 * Locks the selected rows for a change and skips rows that are already locked, for work that several
 * processes share.
 */
export function takeRows<DB, T extends keyof DB, O>(
  dialect: SqlDialect,
  query: SelectQueryBuilder<DB, T, O>,
): SelectQueryBuilder<DB, T, O> {
  return dialect === 'postgres' ? query.forNoKeyUpdate().skipLocked() : query
}

/** Command that brings back a backup: PostgreSQL has its own tools. */
export function restoreTool(dialect: SqlDialect): 'payctl restore' | 'pg_restore' {
  return dialect === 'postgres' ? 'pg_restore' : 'payctl restore'
}

/**
 * Start of the oldest unit of work that may still commit, in milliseconds since 1970 by the server's clock.
 * Undefined if none is running. On SQLite no other one can be running.
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
 * PostgreSQL's transaction numbers: all below `settled` have ended, and none from `next` on has begun. They
 * cannot be compared between servers.
 */
export async function workNumbers({ any }: Tx): Promise<{ readonly settled: number; readonly next: number }> {
  const numbers = sql<{ settled: number; next: number }>`
    select pg_snapshot_xmin(now)::text::bigint as settled, pg_snapshot_xmax(now)::text::bigint as next
    from pg_current_snapshot() as now`
  const { rows } = await using({ reads: [] }, numbers).execute(any)
  return rows[0] ?? { settled: 0, next: 0 }
}

/** Time of the database server in milliseconds since 1970, for comparison with `oldestWork`; 0 on SQLite. */
export async function databaseTime({ dialect, any }: Tx): Promise<number> {
  if (dialect === 'sqlite') return 0
  const time = sql<{
    now: number
  }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now`
  const { rows } = await using({ reads: [] }, time).execute(any)
  return rows[0]?.now ?? 0
}

/**
 * Makes units of work that use the same name run one after another. SQLite has one writer at a time anyway.
 */
export async function waitForName(tx: Tx, name: string): Promise<void> {
  if (tx.dialect === 'postgres') await tx.run(lockName, { name })
}

/**
 * Waits on PostgreSQL until no other unit of work holds the name, and holds the name until this unit of work
 * ends.
 */
export const lockName = prepared<{ name: string }, object>((db, param) => ({
  compile: () =>
    using(
      { reads: [] },
      sql<object>`select pg_advisory_xact_lock(hashtextextended(${param('name')}, 0))`,
    ).compile(db),
}))

/**
 * Whether a text is in a JSON list of texts. The list is one parameter, so one statement serves any number
 * of texts.
 */
export function isAmong(
  dialect: SqlDialect,
  text: Expression<unknown>,
  json: string | Expression<string>,
): Expression<SqlBool> {
  return dialect === 'postgres'
    ? scalar(sql<SqlBool>`${text} = any(array(select jsonb_array_elements_text(cast(${json} as jsonb))))`)
    : scalar(sql<SqlBool>`${text} in (select value from json_each(${json}))`)
}

/** Functions that SQLite connections define: whether a text contains another, or begins with it. */
export const CONTAINS = 'payctl_contains'
export const BEGINS_WITH = 'payctl_begins_with'

/** Whether a text contains another, compared as in searches: see `foldedText`. */
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

/** Whether a text begins with another, compared as in searches. */
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
 * Column of PostgreSQL, folded as far as `part` requires, independently of the server's locale. Letters
 * that fold to none of the characters in `part` stay as they are.
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
 * Value inside a JSON column, as text: a string without its quotes, other values as JSON; null if there is
 * none. `column` is a reference such as `transactions.attrs`. A key of digits is an index or a name.
 */
export function jsonText(dialect: SqlDialect, column: string, keys: readonly string[]): Expression<Stored> {
  const json = sql.ref<Stored>(column)
  if (dialect === 'postgres')
    return sql<Stored>`(cast(${json} as json) #>> ${sql.val([...keys])}) collate "C"`
  const { inner, path } = descend(json, keys)
  return sql<Stored>`(case json_type(${inner}, ${path}) when 'text' then ${inner} ->> ${path} when 'null' then null else ${inner} -> ${path} end)`
}

/** Value inside a JSON column if it has the given type; null otherwise. */
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
 * JSON column as text. SQLite may replace a column by the value that it is compared with, even where JSON
 * is read from it, and then fails. The cast prevents that optimization.
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

/** Whether a JSON column holds a list that contains this text. */
export function jsonListHas(dialect: SqlDialect, column: string, item: string): Expression<SqlBool> {
  const json = sql.ref(column)
  const [items, value] =
    dialect === 'postgres'
      ? [sql`json_array_elements_text(cast(${json} as json))`, sql.ref('item.value')]
      : [sql`json_each(${json})`, sql.ref('item.value')]
  const alias = dialect === 'postgres' ? sql`item(value)` : sql`item`
  return sql<SqlBool>`exists (select 1 from ${items} as ${alias} where ${value} = ${item})`
}

/**
 * Expression and path for nested keys in SQLite. Its paths distinguish a list index from an object name, so
 * a key of digits is looked up separately.
 */
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

/** Names of an environment's tables; empty for a new database. */
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
 * Locks the schema for one process at a time, and on PostgreSQL creates the environment's schema, which is
 * first in the search path. On SQLite a unit of work is always alone.
 */
export async function beginMigration({ any, dialect }: Tx): Promise<void> {
  if (dialect === 'sqlite') return
  // Indexing a large table may exceed the timeouts of the user or database.
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

/** Computed text that is compared by its bytes, as columns are. */
export function asText(dialect: SqlDialect, expression: RawBuilder<unknown>): Expression<Stored> {
  return dialect === 'postgres' ? sql<Stored>`(${expression}) collate "C"` : sql<Stored>`(${expression})`
}
