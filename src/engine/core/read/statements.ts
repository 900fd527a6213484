import { expressionBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { ResourceModel, RowShape } from '../../../model/resource-model.js'
import type { Row, RowValues } from '../../../schema/columns.js'
import { isAmong, lockRows, type RowLock } from '../../store/database/differences.js'
import { type Prepared, prepared, preparedValues } from '../../store/database/prepared.js'
import { using } from '../../store/database/raw-use.js'
import type { AnyTables, SqlDialect } from '../../store/database/store.js'
import { visible } from '../query/where.js'
import { system } from '../request/principal.js'
import { type JoinedRead, joinedRead } from './joined-read.js'

/** Sets of columns of one resource whose update stays compiled. */
const MAX_UPDATES = 200

/** Statements that the engine runs on any resource, each compiled once. */
export interface ResourceStatements {
  /** Inserts one row, which has every column of the table. */
  readonly insert: Prepared<Row, unknown>
  /** The row with an id, unless it is deleted; of a view only its own. */
  readonly byId: Prepared<{ id: string }, Row>
  /** The same, deleted or not. */
  readonly byIdEver: Prepared<{ id: string }, Row>
  /** The row with an id that is not deleted on PostgreSQL, locked. */
  readonly lockedById: Readonly<Record<RowLock, Prepared<{ id: string }, Row>>>
  /** Changes the named columns of one row. */
  update(columns: readonly string[]): Prepared<Row, unknown>
}

/**
 * The statements that the engine has compiled for one database. Shapes other than the default ones have none: clients choose
 * among too many to keep a statement for each.
 */
export class Statements {
  private readonly resources = new Map<ResourceModel, ResourceStatements>()
  private readonly shapes = new Map<RowShape, ShapeStatements>()

  constructor(private readonly dialect: SqlDialect) {}

  of(resource: ResourceModel): ResourceStatements {
    const known = this.resources.get(resource)
    if (known) return known
    const created = compileStatements(resource)
    this.resources.set(resource, created)
    return created
  }

  /** Undefined for any other than a default shape. */
  ofShape(shape: RowShape): ShapeStatements | undefined {
    if (!shape.isDefault) return undefined
    const known = this.shapes.get(shape)
    if (known) return known
    const created = {
      joined: joinedRead(this.dialect, shape),
      byIds: lookupOf(this.dialect, shape),
      byIdsEver: lookupOf(this.dialect, shape, true),
    }
    this.shapes.set(shape, created)
    return created
  }
}

/** Statements that read what is shown by default, for callers who may see everything. */
interface ShapeStatements {
  /** Undefined where one statement cannot read all of it. */
  readonly joined: JoinedRead | undefined
  readonly byIds: RowLookup
  /** The same, deleted or not. */
  readonly byIdsEver: RowLookup
}

/** Reads rows by a JSON list of their ids, as the values of a shape. */
type RowLookup = Prepared<{ ids: string }, RowValues>

/** Compiled once, as PostgreSQL takes as long to understand such a statement as to run it. */
function lookupOf(dialect: SqlDialect, { resource, columns }: RowShape, isEver = false): RowLookup {
  return preparedValues((db, param) => ({
    compile: () => {
      const shown = sql.join(columns.map((column) => sql.ref(`t.${column}`)))
      const from = sql`${sql.table(resource.table)} as t`
      const isNamed = isAmong(dialect, sql.ref('t.id'), param('ids'))
      const eb = expressionBuilder<AnyTables, string>()
      const isVisible = visible(eb, 't', resource, { principal: system }, isEver)
      const rows = sql`select ${shown} from ${from} where ${isNamed} and ${isVisible}`
      return using({ reads: [resource.table] }, rows).compile(db)
    },
  }))
}

function compileStatements(resource: ResourceModel): ResourceStatements {
  // Requests choose which columns they change.
  const updates = new LRUCache<string, Prepared<Row, unknown>>({ max: MAX_UPDATES })
  return {
    insert: insertInto(
      resource.table,
      resource.tableColumns.map((column) => column.name),
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
      const statement = updates.get(key) ?? updateOf(resource.table, columns)
      updates.set(key, statement)
      return statement
    },
  }
}

function insertInto(table: string, columns: readonly string[]): Prepared<Row, unknown> {
  return prepared((db, param) =>
    db
      .withTables<AnyTables>()
      .insertInto(table)
      .values(Object.fromEntries(columns.map((column) => [column, param(column)]))),
  )
}

function byId(
  resource: ResourceModel,
  { lock, isEver = false }: { readonly lock?: RowLock; readonly isEver?: boolean } = {},
): Prepared<{ id: string }, Row> {
  return prepared((db, param) => {
    const named = db
      .withTables<AnyTables>()
      .selectFrom(resource.table)
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
