import type { Row } from '../../../schema/columns.js'
import { type SealedTable, sealedTables } from './sealed-table.js'

/** A row as a statement left it, or one that it removed. */
export interface SealedChange {
  readonly table: SealedTable
  readonly values: readonly unknown[]
  readonly removed?: true
}

/** A statement that changes a sealed table, made to say which rows it leaves. */
export interface SealedStatement {
  /** What to run instead. */
  readonly sql: string
  /** Whether it returns the rows; if not, its parameters are the rows. */
  readonly answers: boolean
  /** The changes, from the statement's parameters or from the rows that it returned. */
  changes(parameters: readonly unknown[], rows: readonly Row[]): SealedChange[]
}

const NAMES = /"(\w+)"/g
const GIVEN = /^insert into "(\w+)" \(([^()]+)\) values (\((?:\?|\$\d+)(?:, (?:\?|\$\d+))*\)(?:, ?)?)+$/
const UPSERT = /^(.*) on conflict \("id"\) do update set (.*)$/
const CHANGING = /^(insert into|update|delete from) "(\w+)"/
const SET = /^update "\w+" set (.*)$/s

/**
 * The statement to run instead of one that changes a sealed table; undefined when it changes none. Every statement passes
 * through here, so that no way to change a row is forgotten.
 */
export function sealedStatement(sql: string): SealedStatement | undefined {
  const [, verb, name = ''] = CHANGING.exec(sql) ?? []
  // What only reads does not need to know the tables.
  if (verb === undefined) return undefined
  const table = sealedTables().get(name)
  if (!table) return undefined
  if (verb === 'update' && !setsAny(sql, table)) return undefined
  const given = GIVEN.exec(withoutConflict(sql, table))
  return given ? ofGivenRows(sql, table, given[2] ?? '') : ofAnsweredRows(sql, table, verb)
}

/** An insert that replaces all sealed columns of a row that is there leaves the values that it was given, too. */
function withoutConflict(sql: string, { columns }: SealedTable): string {
  const [, insert = sql, assignments = ''] = UPSERT.exec(sql) ?? []
  const isWhole = columns.every(
    ({ column }) => column === 'id' || assignments.includes(`"${column}" = "excluded"."${column}"`),
  )
  return isWhole ? insert : sql
}

/** Whether an update names a sealed column. Names on the right of an assignment do no harm. */
function setsAny(sql: string, { columns }: SealedTable): boolean {
  const names = new Set(namesIn(SET.exec(sql)?.[1] ?? ''))
  return columns.some(({ column }) => column !== 'id' && names.has(column))
}

function ofGivenRows(sql: string, table: SealedTable, list: string): SealedStatement {
  const names = namesIn(list)
  const positions = table.columns.map(({ column }) => names.indexOf(column))
  return {
    sql,
    answers: false,
    changes(parameters) {
      const found: SealedChange[] = []
      for (let start = 0; start < parameters.length; start += names.length) {
        const values = positions.map((position) => (position < 0 ? null : parameters[start + position]))
        if (!table.followsFromAnother(values)) found.push({ table, values })
      }
      return found
    },
  }
}

function ofAnsweredRows(sql: string, table: SealedTable, verb: string): SealedStatement {
  if (/ returning /.test(sql))
    throw new Error(`A statement that changes sealed rows cannot have a RETURNING clause of its own: ${sql}`)
  const columns = table.columns.map(({ column }) => `"${column}"`).join(', ')
  return {
    sql: `${sql} returning ${columns}`,
    answers: true,
    changes: (_, rows) =>
      rows
        .map((row) => ({
          table,
          values: table.valuesOf(row),
          ...(verb === 'delete from' ? ({ removed: true } as const) : {}),
        }))
        .filter(({ values }) => verb !== 'insert into' || !table.followsFromAnother(values)),
  }
}

function namesIn(list: string): string[] {
  return [...list.matchAll(NAMES)].map(([, name = '']) => name)
}
