import { type Compilable, type Expression, type Kysely, type OperationNode, ValueNode } from 'kysely'
import type { RowValues } from '../../../schema/columns.js'
import { type Statement, statementOf } from './statement.js'
import type { Tables } from './tables.js'

/** Placeholder in a compiled query's parameters, for a value given at each run. */
class Placeholder<V> implements Expression<V> {
  get expressionType(): V | undefined {
    return undefined
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this)
  }
}

/** Query that is run often: it is built and compiled once per database, then run with different values. */
export interface Prepared<P extends object, R> {
  readonly build: (db: Kysely<Tables>, param: Param<P>) => Compilable<R>
  /** Whether rows are returned as lists of values. */
  readonly answersValues?: boolean
}

/** Names a value of `P` inside the query; if `P` is a list, by its position. */
export type Param<P extends object> = <K extends keyof P & (string | number)>(name: K) => Expression<P[K]>

/**
 * Declares a query that is compiled once. Example: `prepared<{ id: string }, TransactionRow>((db, param) =>
 * db.selectFrom('transactions').selectAll().where('id', '=', param('id')))`
 */
export function prepared<P extends object, R>(build: Prepared<P, R>['build']): Prepared<P, R> {
  return { build }
}

/**
 * Declares a query that is compiled once and returns rows as lists of values, in the order of selection.
 * For many columns that is faster than making objects.
 */
export function preparedValues<P extends object>(
  build: (db: Kysely<Tables>, param: Param<P>) => Compilable<unknown>,
): Prepared<P, RowValues> {
  return { build, answersValues: true }
}

/** Prepared query, compiled for one database. */
export interface Compiled<P extends object> {
  readonly sql: string
  readonly statement: Statement
  /** Indexes of the parameters that are given at each run; the others are constant. */
  readonly given: readonly number[]
  /** Parameters of one run, in the order of the statement. Throws if a value is missing. */
  bind(params: P): unknown[]
}

export function compile<P extends object, R>(query: Prepared<P, R>, db: Kysely<Tables>): Compiled<P> {
  const names = new Map<unknown, keyof P & (string | number)>()
  const param: Param<P> = (name) => {
    const placeholder = new Placeholder<P[typeof name]>()
    names.set(placeholder, name)
    return placeholder
  }
  const { sql, parameters, query: node } = query.build(db, param).compile()
  const slots = parameters.map((value) => ({ name: names.get(value), value }))
  return {
    sql,
    statement: statementOf(node),
    given: slots.flatMap(({ name }, index) => (name === undefined ? [] : [index])),
    bind(params) {
      const values = new Array<unknown>(slots.length)
      let index = 0
      for (const { name, value } of slots)
        values[index++] = name === undefined ? value : given(params[name], name)
      return values
    },
  }
}

/** Throws for a missing value, as SQLite does. PostgreSQL would take it for null. */
function given(value: unknown, name: string | number): unknown {
  if (value === undefined) throw new TypeError(`A prepared query was run without a value for ${name}`)
  return value
}
