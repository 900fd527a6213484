import {
  type CompiledQuery,
  createQueryId,
  type Kysely,
  PostgresQueryCompiler,
  type RootOperationNode,
} from 'kysely'
import { type Sealing, sealingOf } from '../books/sealing.js'
import { type Compiled, compile, type Prepared } from '../database/prepared.js'
import { type Statement, statementOf } from '../database/statement.js'
import type { Tables } from '../database/tables.js'

/** Statement in the form in which a connection runs it. */
export interface PostgresStatement {
  readonly sql: string
  readonly statement: Statement
  /** Changes of the statement in a sealed table. */
  readonly sealing: Sealing | undefined
}

/** Prepared query in the form in which a connection runs it. */
export interface Named<P extends object> extends PostgresStatement, Pick<Compiled<P>, 'given' | 'bind'> {
  readonly name: string
}

/** Prepared queries of one store, each with the name under which every PostgreSQL connection prepares it. */
export class NamedQueries {
  private readonly known = new WeakMap<object, Named<never>>()
  private count = 0

  get<P extends object, R>(query: Prepared<P, R>, db: Kysely<Tables>): Named<P> {
    const known = this.known.get(query)
    if (known) return known
    const { sql, statement, given, bind } = compile(query, db)
    const created = { ...sealedStatement(sql, statement), given, bind, name: `payctl_${++this.count}` }
    this.known.set(query, created)
    return created
  }
}

/** Query compiled by Kysely, in the form in which a connection runs it. */
export function postgresStatement({ sql, query }: CompiledQuery): PostgresStatement {
  return sealedStatement(sql, statementOf(query))
}

/** SQL text of a syntax tree. */
export function postgresText(node: RootOperationNode): string {
  return new PostgresQueryCompiler().compileQuery(node, createQueryId()).sql
}

function sealedStatement(sql: string, statement: Statement): PostgresStatement {
  const sealing = sealingOf(statement)
  return { sql: sealing?.returning ? postgresText(sealing.returning) : sql, statement, sealing }
}
