import { LRUCache } from 'lru-cache'
import { type Row, tableColumnsOf } from '../../../schema/columns.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { lockRows, type RowLock } from '../../store/database/differences.js'
import { type Prepared, prepared } from '../../store/database/prepared.js'
import type { AnyTables } from '../../store/database/store.js'

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
      reference: byId(resource, { lock: 'reference' }),
      change: byId(resource, { lock: 'change' }),
      deletion: byId(resource, { lock: 'deletion' }),
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
  { lock, isEver = false }: { readonly lock?: RowLock; readonly isEver?: boolean } = {},
): Prepared<{ id: string }, Row> {
  return prepared((db, param) => {
    const named = db
      .withTables<AnyTables>()
      .selectFrom(tableNameOf(resource))
      .selectAll()
      .where('id', '=', param('id'))
    const alive = isEver ? named : named.where('deleted_at', 'is', null)
    const ofView = Object.entries(resource.view?.where ?? {}).reduce(
      (query, [column, value]) => query.where(column, '=', value),
      alive,
    )
    return lock ? lockRows('postgres', ofView, lock) : ofView
  })
}

function updateOf(table: string, columns: readonly string[]): Prepared<Row, unknown> {
  return prepared((db, param) =>
    db
      .withTables<AnyTables>()
      .updateTable(table)
      .set(Object.fromEntries(columns.map((column) => [column, param(column)])))
      .where('id', '=', param('id')),
  )
}
