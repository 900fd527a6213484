import type { Kysely } from 'kysely'
import { type SealedStatement, sealedStatement } from '../books/sealed-statement.js'
import { type Compiled, compile, type Prepared } from '../database/prepared.js'
import type { Tables } from '../database/tables.js'

/** A query as a connection runs it. */
export interface Named<P extends object> extends Compiled<P> {
  readonly name: string
  /** What it changes in a sealed table. */
  readonly sealed: SealedStatement | undefined
}

/** Prepared queries of one store, each under a name that PostgreSQL remembers it by on every connection. */
export class NamedQueries {
  private readonly known = new WeakMap<object, Named<never>>()
  private count = 0

  get<P extends object, R>(query: Prepared<P, R>, db: Kysely<Tables>): Named<P> {
    const known = this.known.get(query)
    if (known) return known
    const compiled = compile(query, db)
    const sealed = sealedStatement(compiled.sql)
    const created = { ...compiled, sql: sealed?.sql ?? compiled.sql, sealed, name: `payctl_${++this.count}` }
    this.known.set(query, created)
    return created
  }
}
