import { sql } from 'kysely'
import { using } from '../database/raw-use.js'
import type { Tx } from '../database/store.js'
import { loadSchema } from '../migrations/migrations.js'
import { SqliteConnection } from '../sqlite/sqlite-connection.js'
import {
  type DescribedReference,
  type DescribedSchema,
  describeSchema,
  referencesIn,
} from './described-schema.js'

/** Difference between a database and the schema of this version, as text. */
export interface SchemaProblem {
  /** Table, check or trigger that the problem is about. */
  readonly of: string
  readonly problem: string
  /** Whether a table or column is missing, without which statements fail. */
  readonly breaks: boolean
}

/** Parts that an operator may add, because they do not affect stored rows. */
const HARMLESS = /^(index|table|column|key|check|reference) /

/**
 * Parts of this version's schema that a database lacks, and additional parts that could change or refuse
 * rows. An operator's own index is accepted unless it is unique.
 */
export async function schemaProblems(tx: Tx): Promise<SchemaProblem[]> {
  const expected = await expectedSchema()
  const actual = await describeSchema(tx)
  const missing = [...expected].filter((line) => !actual.has(line))
  const added = [...actual].filter((line) => !expected.has(line) && !HARMLESS.test(line))
  const names = new Set([...actual].map(nameIn))
  return [
    ...missing.map((line) => {
      const breaks = /^(table|column) /.test(line) && !names.has(nameIn(line))
      return { of: subjectOf(line), problem: `It lacks: ${line}`, breaks }
    }),
    ...added.map((line) => ({
      of: subjectOf(line),
      problem: `It has, and should not: ${line}`,
      breaks: false,
    })),
  ]
}

/** Kind and name of a part, such as `column postings.amount`. */
function nameIn(line: string): string {
  return line.split(' ').slice(0, 2).join(' ')
}

/** Rows whose reference names a missing row, up to `limit`. */
export async function brokenReferences(
  { any }: Tx,
  { table, column, to }: DescribedReference,
  limit: number,
): Promise<{ readonly id: string; readonly named: string }[]> {
  const { rows } = await using(
    { reads: [] },
    sql<{ id: string; named: string }>`
    select id, ${sql.ref(column)} as named from ${sql.table(table)} as child
    where ${sql.ref(column)} is not null
      and not exists (select 1 from ${sql.table(to)} as parent where parent.id = child.${sql.ref(column)})
    order by id limit ${limit}`,
  ).execute(any)
  return rows
}

/** References that this version declares, even if the database has lost them. */
export async function declaredReferences(): Promise<DescribedReference[]> {
  return referencesIn(await expectedSchema())
}

function subjectOf(line: string): string {
  return /^(?:unique index|disabled trigger|\w+) (\w+)/.exec(line)?.[1] ?? line
}

/** Schema of this version. It is created in a database in memory, once per process. */
async function expectedSchema(): Promise<DescribedSchema> {
  expected ??= describeCreated()
  return await expected
}
let expected: Promise<DescribedSchema> | undefined

async function describeCreated(): Promise<DescribedSchema> {
  const connection = SqliteConnection.inMemory()
  try {
    await (await loadSchema())(connection)
    return await describeSchema(connection)
  } finally {
    connection.close()
  }
}
