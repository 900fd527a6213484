import { type Compilable, type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { type Row, tableColumnsOf } from '../../../schema/columns.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { LOCKING, type RowLock } from '../../store/database/differences.js'
import { type Param, type Prepared, prepared } from '../../store/database/prepared.js'
import type { AnyTables } from '../../store/database/store.js'
import type { Tables } from '../../store/database/tables.js'

/** Sets of columns of one resource whose update stays compiled. */
const MAX_UPDATES = 200

/** Statements that the engine runs on any resource, each compiled once. */
export interface ResourceStatements {
  /** Inserts one row, which has every column of the table. */
  readonly insert: Prepared<Row, unknown>
  /** The row with an id, deleted ones left out; of a view only its own. */
  readonly byId: Prepared<{ id: string }, Row>
  /** The same, deleted or not. */
  readonly byIdEver: Prepared<{ id: string }, Row>
  /** The row with an id that is not deleted on PostgreSQL, locked. */
  readonly lockedById: Readonly<Record<RowLock, Prepared<{ id: string }, Row>>>
  /** Changes the named columns of one row. */
  update(columns: readonly string[]): Prepared<Row, unknown>
}

export function statementsOf(resource: Resource): ResourceStatements {
  const known = cache.get(resource)
  if (known) return known
  // Requests choose which columns they change.
  const updates = new LRUCache<string, Prepared<Row, unknown>>({ max: MAX_UPDATES })
  const created: ResourceStatements = {
    insert: insertInto(
      tableNameOf(resource),
      tableColumnsOf(resource).map((column) => column.name),
    ),
    byId: byId(resource),
    byIdEver: byId(resource, { isEver: true }),
    lockedById: {
      reference: byId(resource, { locking: LOCKING.reference }),
      change: byId(resource, { locking: LOCKING.change }),
      deletion: byId(resource, { locking: LOCKING.deletion }),
    },
    update(columns) {
      const key = columns.join()
      const statement = updates.get(key) ?? updateOf(tableNameOf(resource), columns)
      updates.set(key, statement)
      return statement
    },
  }
  cache.set(resource, created)
  return created
}
const cache = new WeakMap<Resource, ResourceStatements>()

function insertInto(table: string, columns: readonly string[]): Prepared<Row, unknown> {
  return prepared((db, param) =>
    db
      .withTables<AnyTables>()
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column) => [column, param(column)]))),
  )
}

function byId(
  resource: Resource,
  { locking = '', isEver = false }: { readonly locking?: string; readonly isEver?: boolean } = {},
): Prepared<{ id: string }, Row> {
  const alive = isEver ? sql`` : sql` and deleted_at is null`
  const ofView = Object.entries(resource.view?.where ?? {}).map(
    ([column, value]) => sql` and ${sql.ref(column)} = ${value}`,
  )
  return statement<{ id: string }, Row>(
    (param) =>
      sql`select * from ${sql.table(tableNameOf(resource))} where id = ${param('id')}${alive}${sql.join(ofView, sql``)} ${sql.raw(locking)}`,
    locking === '' ? tableNameOf(resource) : undefined,
  )
}

function updateOf(table: string, columns: readonly string[]): Prepared<Row, unknown> {
  return statement((param) => {
    const changes = sql.join(columns.map((column) => sql`${sql.ref(column)} = ${param(column)}`))
    return sql`update ${sql.table(table)} set ${changes} where id = ${param('id')}`
  })
}

function statement<P extends object, R>(
  write: (param: Param<P>) => { compile(db: Kysely<Tables>): ReturnType<Compilable<R>['compile']> },
  rowOf?: string,
): Prepared<P, R> {
  return prepared<P, R>((db, param) => ({ compile: () => write(param).compile(db) }), rowOf)
}
