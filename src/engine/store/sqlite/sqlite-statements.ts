import type { Database, Statement } from 'better-sqlite3'
import { LRUCache } from 'lru-cache'
import type { RowValues } from '../../../schema/columns.js'
import { type SealedStatement, sealedStatement } from '../books/sealed-statement.js'

const MAX_STATEMENTS = 500

const ALTERING = /^alter table /
const CHANGING = /^(?:insert into|update|delete from) "(\w+)"/

/** One with a list of values for each row, which may replace what is there. */
const GIVEN =
  /^(insert into "(\w+)") \(([^()]+)\) values (\(\?(?:, \?)*\))(?:, \4)*( on conflict \("id"\) do update set (?:(?:, )?"(\w+)" = "excluded"\."\6")+)?$/
const BY_ID = /^select [\w"*, ]+ from "(\w+)" where "?id"? = \?(?: and "?\w+"? (?:= \?|is null))* ?$/

/** A statement as it is prepared on one connection. */
export interface SqliteStatement {
  readonly prepared: Statement<unknown[]>
  /** What it changes in a sealed table; then it answers the rows that the books need. */
  readonly sealed: SealedStatement | undefined
  /** The table that it changes; nothing where it reads, or where that cannot be said. */
  readonly changes: string | undefined
  /** What it inserts, where all values are given and nothing is returned. */
  readonly inserts: GivenRows | undefined
  /** The table of which it reads a row by an id, its first value, and nothing else. */
  readonly readsById: string | undefined
}

/** Rows whose values are given, one after the other. */
export interface GivenRows {
  readonly table: string
  /** The values of a row. */
  readonly width: number
  /** Where its id is among them. */
  readonly id: number
  /** Inserts one of them; the same for however many the statement inserts. */
  readonly one: Statement<unknown[]>
}

/** Statements prepared on one connection, by their SQL; those not used for longest are dropped. */
export class SqliteStatements {
  private readonly bySql: LRUCache<string, SqliteStatement>

  constructor(database: Database) {
    this.bySql = new LRUCache({
      max: MAX_STATEMENTS,
      memoMethod: (sql) => {
        const sealed = sealedStatement(sql)
        const prepared = database.prepare<unknown[]>(sealed?.sql ?? sql)
        return {
          prepared,
          sealed,
          changes: CHANGING.exec(sql)?.[1],
          inserts: sealed?.answers ? undefined : this.givenRows(sql, prepared),
          readsById: BY_ID.exec(sql)?.[1],
        }
      },
    })
  }

  get(sql: string): SqliteStatement {
    // What was prepared before would not name the columns that a table gets.
    if (ALTERING.test(sql)) this.bySql.clear()
    return this.bySql.memo(sql)
  }

  private givenRows(sql: string, prepared: Statement<unknown[]>): GivenRows | undefined {
    const [, into, table, list, values, conflict = ''] = GIVEN.exec(sql) ?? []
    if (into === undefined || table === undefined || list === undefined) return undefined
    const first = `${into} (${list}) values ${values}${conflict}`
    // One statement for rows that come one by one and for those that come together.
    if (first !== sql) return this.get(first).inserts
    const names = list.split(', ')
    const id = names.indexOf('"id"')
    return id < 0 ? undefined : { table, width: names.length, id, one: prepared }
  }
}

/**
 * The rows of a statement; their type is the query's, which only Kysely knows. Values come from the database as lists
 * and are named here: the driver takes longer to make an object of many columns than to read them.
 */
export function runForRows<R>(statement: Statement<unknown[]>, parameters: readonly unknown[]): R[]
export function runForRows(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  if (!statement.reader) {
    statement.run(parameters)
    return []
  }
  const shape = shapeOf(statement)
  return statement.all(parameters).map((values) => (Array.isArray(values) ? named(shape, values) : values))
}

/** The rows of a query, each as the list of its values. */
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): RowValues[]
export function runForValues(statement: Statement<unknown[]>, parameters: readonly unknown[]): unknown[] {
  return statement.raw(true).all(parameters)
}

interface Shape {
  readonly names: readonly string[]
  /** A row of nothing. Copies of it share its layout in memory, which objects built name by name would not have. */
  readonly empty: Record<string, unknown>
}

function named({ names, empty }: Shape, values: readonly unknown[]): Record<string, unknown> {
  const row = { ...empty }
  for (let index = 0; index < names.length; index++) row[names[index] ?? ''] = values[index]
  return row
}

function shapeOf(statement: Statement<unknown[]>): Shape {
  const known = shapes.get(statement)
  if (known) return known
  const names = statement
    .raw(true)
    .columns()
    .map(({ name }) => name)
  const shape = {
    names,
    empty: JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null])))),
  }
  shapes.set(statement, shape)
  return shape
}
const shapes = new WeakMap<Statement<unknown[]>, Shape>()

/** How many rows a statement changed, also when it returns them. */
export function runForChanges(statement: Statement<unknown[]>, parameters: readonly unknown[]): number {
  return statement.reader ? statement.all(parameters).length : statement.run(parameters).changes
}
