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

/** Maximum number of column sets per resource whose update stays compiled. */
const MAX_UPDATES = 200

/** Statements that the engine runs on any resource, each compiled once. */
export interface ResourceStatements {
  /** Inserts one row, which has every column of the table. */
  readonly insert: Prepared<Row, unknown>
  /** Reads a row by id, unless it is deleted or outside the resource's view. */
  readonly byId: Prepared<{ id: string }, Row>
  /** Reads a row by id, even if it is deleted. */
  readonly byIdEver: Prepared<{ id: string }, Row>
  /** Reads and locks a row by id on PostgreSQL, unless it is deleted. */
  readonly lockedById: Readonly<Record<RowLock, Prepared<{ id: string }, Row>>>
  /** Changes the named columns of one row. */
  update(columns: readonly string[]): Prepared<Row, unknown>
}

/**
 * Statements that the engine has compiled for one database. Only default shapes have statements, because
 * clients can request too many other shapes.
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

  /** Statements of a default shape; undefined for any other. */
  ofShape(shape: RowShape): ShapeStatements | undefined {
    if (!shape.isDefault) return undefined
    const known = this.shapes.get(shape)
    if (known) return known
    const created = {
      joined: joinedRead(shape),
      byIds: lookupOf(this.dialect, shape),
      byIdsEver: lookupOf(this.dialect, shape, true),
    }
    this.shapes.set(shape, created)
    return created
  }
}

/** Statements that read the default shape, for unrestricted callers. */
interface ShapeStatements {
  /** Read of an object with the objects inside it; undefined if one statement cannot read everything. */
  readonly joined: JoinedRead | undefined
  readonly byIds: RowLookup
  /** Variant of `byIds` that includes deleted rows. */
  readonly byIdsEver: RowLookup
}

/** Reads rows by a JSON list of their ids, as the values of a shape. */
type RowLookup = Prepared<{ ids: string }, RowValues>

/**
 * Query for rows by their ids. It is compiled once, because PostgreSQL takes as long to parse it as to run
 * it.
 */
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
  // Clients decide which columns a request changes, so the number of statements is limited.
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
