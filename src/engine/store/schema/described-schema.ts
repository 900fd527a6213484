import { sql } from 'kysely'
import { using } from '../database/raw-use.js'
import type { SqlDialect, Tx } from '../database/store.js'

/**
 * Schema as one sentence per part, such as `column postings.amount integer required`. The same migrations
 * give the same sentences on both databases, so comparing sentences shows what is missing.
 */
export type DescribedSchema = ReadonlySet<string>

/** Column that must name a row of another table. */
export interface DescribedReference {
  readonly table: string
  readonly column: string
  readonly to: string
}

/** Describes the tables, columns, keys, checks, references, indexes and triggers of a database. */
export async function describeSchema(tx: Tx): Promise<DescribedSchema> {
  const lines: string[] = []
  for (const query of QUERIES[tx.dialect]) lines.push(...(await linesOf(tx, query)))
  return new Set(lines.filter((line) => !OWN.test(line)))
}

/** References that a database declares. */
export function referencesIn(schema: DescribedSchema): DescribedReference[] {
  return [...schema].flatMap((line) => {
    const [, table, column, to] = /^reference (\w+)\.(\w+) to (\w+)$/.exec(line) ?? []
    return table && column && to ? [{ table, column, to }] : []
  })
}

/** Parts of the table `migrations`, which is made before the schema. */
const OWN = /^\w+ migrations\b/

/**
 * SQL for the condition of an index. Each database prints the condition with different parentheses,
 * quotation marks and types, which are removed.
 */
function condition(printed: string): string {
  return `' where ' || lower(replace(replace(replace(${printed}, '(', ''), ')', ''), '::text', ''))`
}

const SQLITE = [
  `select 'table ' || name as line from sqlite_schema where type = 'table' and name not like 'sqlite_%'`,
  `select 'column ' || m.name || '.' || x.name || ' ' || lower(x.type) ||
    case when x."notnull" then ' required' else '' end as line
    from sqlite_schema m, pragma_table_xinfo(m.name) x where m.type = 'table' and m.name not like 'sqlite_%'`,
  `select 'key ' || m.name || '.' || x.name as line
    from sqlite_schema m, pragma_table_xinfo(m.name) x where m.type = 'table' and x.pk > 0 and m.name not like 'sqlite_%'`,
  `select 'reference ' || m.name || '.' || f."from" || ' to ' || f."table" as line
    from sqlite_schema m, pragma_foreign_key_list(m.name) f where m.type = 'table'`,
  `select case when i."unique" then 'unique index ' else 'index ' end || m.name || '(' ||
    (select group_concat(name, ', ') from (select name from pragma_index_xinfo(i.name) where key = 1 order by seqno)) ||
    ')' || case when i.partial then ${condition(`substr(s.sql, instr(lower(s.sql), ' where ') + 7)`)} else '' end as line
    from sqlite_schema m, pragma_index_list(m.name) i join sqlite_schema s on s.name = i.name
    where m.type = 'table' and i.origin = 'c'`,
  `select 'trigger ' || tbl_name || '.' || name as line from sqlite_schema where type = 'trigger'`,
  // Names of checks occur only in the statement that made their table; each name is read up to its
  // quotation mark.
  `with recursive found(rest) as (
      select sql from sqlite_schema where type = 'table'
      union all
      select substr(rest, instr(rest, 'constraint "') + 12) from found where instr(rest, 'constraint "') > 0)
    select 'check ' || substr(rest, 1, instr(rest, '"') - 1) as line from found
    where substr(rest, instr(rest, '"'), 8) = '" check '`,
] as const

const POSTGRES = [
  `select 'table ' || table_name as line from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  `select 'column ' || table_name || '.' || column_name || ' ' ||
    case data_type when 'bigint' then 'integer' when 'bytea' then 'blob' else data_type end ||
    case is_nullable when 'NO' then ' required' else '' end as line
    from information_schema.columns where table_schema = current_schema()`,
  `select 'key ' || t.relname || '.' || a.attname as line
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = any(c.conkey)
    where c.contype = 'p' and c.connamespace = current_schema()::regnamespace`,
  `select 'reference ' || t.relname || '.' || a.attname || ' to ' || f.relname as line
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_class f on f.oid = c.confrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.convalidated and c.connamespace = current_schema()::regnamespace`,
  `select 'check ' || conname as line from pg_constraint
    where contype = 'c' and convalidated and connamespace = current_schema()::regnamespace`,
  `select case when i.indisunique then 'unique index ' else 'index ' end || t.relname || '(' ||
    (select string_agg(pg_get_indexdef(i.indexrelid, k, true), ', ' order by k) from generate_series(1, i.indnkeyatts) k) ||
    ')' || coalesce(${condition('pg_get_expr(i.indpred, i.indrelid, true)')}, '') as line
    from pg_index i join pg_class t on t.oid = i.indrelid
    where t.relnamespace = current_schema()::regnamespace and i.indisvalid and not i.indisprimary`,
  `select 'trigger ' || t.relname || '.' || g.tgname as line from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where t.relnamespace = current_schema()::regnamespace and not g.tgisinternal`,
  // References are no longer enforced if their internal triggers are disabled.
  `select 'disabled trigger ' || t.relname || '.' || g.tgname as line from pg_trigger g join pg_class t on t.oid = g.tgrelid
    where t.relnamespace = current_schema()::regnamespace and g.tgisinternal and g.tgenabled <> 'O'`,
] as const

const QUERIES: Readonly<Record<SqlDialect, readonly string[]>> = { sqlite: SQLITE, postgres: POSTGRES }

async function linesOf({ any }: Tx, query: string): Promise<string[]> {
  const { rows } = await using({ reads: [] }, sql<{ line: string }>`${sql.raw(query)}`).execute(any)
  return rows.map(({ line }) => line.replaceAll('"', ''))
}
