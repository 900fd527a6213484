import { sql } from 'kysely'
import type { Model } from '../../../model/model.js'
import type { ResourceModel } from '../../../model/resource-model.js'
import type { Row } from '../../../schema/columns.js'
import type { Resource } from '../../../schema/resource.js'
import type { RowOf } from '../../../schema/types.js'
import { lockRows, type RowLock } from '../../store/database/differences.js'
import type { Tx } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import { type QueryContext, visible } from '../query/where.js'
import type { Statements } from '../read/statements.js'
import { ApiError } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import { isRelated, type ParentRef } from '../request/route.js'

/**
 * Maximum rows of a resource that one request may write: twice the maximum matches of one query. Without a
 * limit, one change of many matches with nested objects would block all other requests.
 */
const MAX_WRITTEN = 20_000
/** Maximum number of ids in one statement, as databases limit the number of values. */
const BATCH_SIZE = 1_000

/**
 * Rows of any resource, as one unit of work reads and writes them. Each row is cached, so that it is read
 * only once.
 */
export abstract class Rows {
  abstract readonly model: Model
  abstract readonly statements: Statements
  abstract readonly vault: Vault
  abstract readonly tx: Tx
  abstract readonly principal: Principal
  abstract readonly now: string
  /**
   * Whether rows are locked. A read locks none, and SQLite needs no locks because it runs one writer at a
   * time.
   */
  abstract readonly locks: boolean
  abstract newId(prefix: string): string
  private readonly rows = new Map<string, Map<string, Row>>()
  private readonly held = new Map<string, Map<string, RowLock>>()
  private readonly written = new Map<ResourceModel, Set<string>>()
  /** Ids of rows that were written while the principal was restricted to processing accounts. */
  private readonly narrowlyWritten = new Map<ResourceModel, Set<string>>()
  /**
   * Ids of rows that this unit of work has inserted. They count as in scope even before the row that
   * relates them to a processing account is written. `refuseForeign` checks the scope at the end.
   */
  private readonly inserted = new Set<string>()
  /** Changed rows as they were before, if this unit of work had read them. */
  private readonly before = new Map<string, Row>()

  get queryContext(): QueryContext {
    const { principal, vault, tx, now } = this
    return { principal, vault, dialect: tx.dialect, now }
  }

  /** Whether a row is below the parent in a nested path, and the parent is in scope. */
  async isBelow(parent: ParentRef, row: Row): Promise<boolean> {
    const parentRow = await this.findRow(parent.resource, parent.id)
    return parentRow !== undefined && isRelated(parent, parentRow, row)
  }

  cachedRow(table: string, id: string): Row | undefined {
    return this.rows.get(table)?.get(id)
  }

  findRow<R extends Resource>(resource: R, id: string): Promise<RowOf<R> | undefined> {
    return this.lockRow(resource, id, 'reference')
  }

  async keptRow(resource: ResourceModel, id: string): Promise<Row | undefined> {
    const [row] = await this.tx.run(this.statements.of(resource).byIdEver, { id })
    return row?.deleted_at === null ? undefined : row
  }

  async lockRow<R extends Resource>(
    resource: R,
    id: string,
    lock: RowLock = 'change',
  ): Promise<RowOf<R> | undefined> {
    const model = this.model.of(resource)
    if (this.principal.processingIds && !this.inserted.has(id)) {
      const visibleRow = await this.findVisible(model, id, lock)
      return visibleRow && rowOf(resource, visibleRow)
    }
    const cached = this.cachedRow(model.table, id)
    if (cached && this.holds(model, id, lock))
      return isAlive(cached) && isRowOf(resource, cached) ? cached : undefined
    const { byId, lockedById } = this.statements.of(model)
    const [row] = await this.tx.run(this.locks ? lockedById[lock] : byId, { id })
    return row && rowOf(resource, this.keep(model, row, lock))
  }

  /**
   * Locks rows in the order of their ids, so that two lists never wait for each other. Rows that are
   * deleted or out of scope are skipped.
   */
  async lockInOrder(resource: ResourceModel, ids: readonly string[], lock: RowLock): Promise<void> {
    if (!this.locks) return
    const requested = [...new Set(ids)].filter((id) => !this.holds(resource, id, lock)).toSorted()
    for (let start = 0; start < requested.length; start += BATCH_SIZE) {
      const query = this.visibleRows(resource)
        .where('t.id', 'in', requested.slice(start, start + BATCH_SIZE))
        .orderBy('t.id')
      for (const row of await lockRows(this.tx.dialect, query, lock).execute()) this.keep(resource, row, lock)
    }
  }

  /** Notes that a query has locked a row, and caches the row. */
  keep(resource: ResourceModel, row: Row, lock: RowLock): Row {
    if (this.locks && !this.holds(resource, String(row.id), lock)) {
      const table = resource.table
      const held = this.held.get(table) ?? new Map<string, RowLock>()
      this.held.set(table, held.set(String(row.id), lock))
    }
    return this.cacheRow(resource, row)
  }

  private holds(resource: ResourceModel, id: string, lock: RowLock): boolean {
    if (!this.locks || this.inserted.has(id)) return true
    const held = this.held.get(resource.table)?.get(id)
    return held !== undefined && STRENGTH[held] >= STRENGTH[lock]
  }

  private visibleRows(resource: ResourceModel) {
    return this.tx.any
      .selectFrom(`${resource.table} as t`)
      .selectAll()
      .where((eb) => visible(eb, 't', resource, this))
  }

  async rowsBy<R extends Resource>(resource: R, column: string, value: string): Promise<RowOf<R>[]> {
    const model = this.model.of(resource)
    const rows = await this.visibleRows(model)
      .where(sql.ref(`t.${column}`), '=', value)
      .orderBy('t.id')
      .execute()
    const found = rows.map((row) => rowOf(resource, this.cacheRow(model, row)))
    return this.principal.processingIds ? this.withInserted(found, resource, { [column]: value }) : found
  }

  blankRow<R extends Resource>(resource: R): RowOf<R> {
    const id = this.newId(resource.prefix)
    const { emptyRow } = this.model.of(resource)
    return rowOf(resource, { ...emptyRow, id, created_at: this.now, modified_at: this.now })
  }

  /** Whether this unit of work has inserted the row. */
  hasInserted(id: string): boolean {
    return this.inserted.has(id)
  }

  /** Changed row as it was before; undefined for a new row and for a row that was never read. */
  rowBefore(id: string): Row | undefined {
    return this.before.get(id)
  }

  /** Ids of rows that were inserted, changed or read again, by resource. */
  get touched(): ReadonlyMap<ResourceModel, ReadonlySet<string>> {
    return this.written
  }

  async insertRow(resource: Resource, row: Row): Promise<void> {
    const model = this.model.of(resource)
    await this.tx.change(this.statements.of(model).insert, row)
    this.inserted.add(String(row.id))
    this.cacheRow(model, row)
    this.touch(model, row)
  }

  async changeRow<R extends Resource>(resource: R, id: string, columns: Partial<Row>): Promise<RowOf<R>> {
    const model = this.model.of(resource)
    const changes = givenColumns(columns)
    changes.modified_at = this.now
    await this.tx.change(this.statements.of(model).update(Object.keys(changes)), { ...changes, id })
    const cached = this.cachedRow(model.table, id)
    if (!cached) return await this.refreshRow(resource, id)
    const row = { ...cached, ...changes }
    this.noteBefore(cached)
    this.touch(model, row)
    return rowOf(resource, this.cacheRow(model, row))
  }

  async refreshRow<R extends Resource>(resource: R, id: string): Promise<RowOf<R>> {
    const row = await this.rereadRow(this.model.of(resource), id)
    if (!row) throw new Error(`${id} is gone within its own unit of work`)
    return rowOf(resource, row)
  }

  /** Current state of a row that was written before. Another process may have deleted it since. */
  async latestRow(resource: ResourceModel, id: string): Promise<Row> {
    const row = (await this.rereadRow(resource, id)) ?? (await this.keptRow(resource, id))
    if (!row) throw new Error(`${id} was written, and is not there`)
    return row
  }

  private async rereadRow(resource: ResourceModel, id: string): Promise<Row | undefined> {
    const [row] = await this.tx.run(this.statements.of(resource).byId, { id })
    if (!row) return undefined
    const cached = this.cachedRow(resource.table, id)
    if (cached) this.noteBefore(cached)
    this.touch(resource, row)
    return this.cacheRow(resource, row)
  }

  private noteBefore(row: Row): void {
    const id = String(row.id)
    if (!this.inserted.has(id) && !this.before.has(id)) this.before.set(id, row)
  }

  /**
   * Marks a row as deleted, after waiting for units of work that reference it. A row that is already
   * deleted stays as it is.
   */
  async markDeleted(resource: Resource, { id }: Row): Promise<void> {
    const locked = await this.lockRow(resource, String(id), 'deletion')
    if (locked) await this.changeRow(resource, String(id), { deleted_at: this.now })
  }

  /**
   * Throws `Forbidden` if a row that a restricted principal has written is no longer in the principal's
   * scope.
   */
  async refuseForeign(): Promise<void> {
    for (const [resource, written] of this.narrowlyWritten) {
      const ids = [...written]
      for (let start = 0; start < ids.length; start += BATCH_SIZE)
        await this.refuseForeignBatch(resource, ids.slice(start, start + BATCH_SIZE))
    }
  }

  private async refuseForeignBatch(resource: ResourceModel, ids: readonly string[]): Promise<void> {
    const found = await this.tx.any
      .selectFrom(`${resource.table} as t`)
      .select('t.id')
      .where('t.id', 'in', [...ids])
      .where((eb) => eb.or([eb('t.deleted_at', 'is not', null), visible(eb, 't', resource, this)]))
      .execute()
    if (found.length === ids.length) return
    throw new ApiError('Forbidden', `The key may only write ${resource.plural} of its processing accounts`)
  }

  private async findVisible(resource: ResourceModel, id: string, lock: RowLock): Promise<Row | undefined> {
    const query = this.visibleRows(resource).where('t.id', '=', id)
    const row = await (this.locks ? lockRows(this.tx.dialect, query, lock) : query).executeTakeFirst()
    return row && this.keep(resource, row, lock)
  }

  /** `rows` together with the inserted rows that have these values, in the order of their ids. */
  private withInserted<R extends Resource>(rows: readonly RowOf<R>[], resource: R, values: Row): RowOf<R>[] {
    const all = new Map(rows.map((row) => [row.id, row]))
    for (const row of this.rows.get(this.model.of(resource).table)?.values() ?? [])
      if (
        this.inserted.has(String(row.id)) &&
        isAlive(row) &&
        isRowOf(resource, row) &&
        hasValues(row, values)
      )
        all.set(row.id, row)
    return [...all.values()].toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
  }

  private cacheRow(resource: ResourceModel, row: Row): Row {
    const table = resource.table
    const rows = this.rows.get(table) ?? new Map<string, Row>()
    rows.set(String(row.id), row)
    this.rows.set(table, rows)
    return row
  }

  private touch(resource: ResourceModel, row: Row): void {
    const ids = noted(this.written, resource, String(row.id))
    if (this.principal.processingIds) noted(this.narrowlyWritten, resource, String(row.id))
    if (ids.size > MAX_WRITTEN)
      throw new ApiError('BadRequest', `One request may write at most ${MAX_WRITTEN} ${resource.plural}`)
  }
}

function noted(written: Map<ResourceModel, Set<string>>, resource: ResourceModel, id: string): Set<string> {
  const ids = written.get(resource) ?? new Set<string>()
  written.set(resource, ids.add(id))
  return ids
}

const STRENGTH: Readonly<Record<RowLock, number>> = { reference: 1, change: 2, deletion: 3 }

function isAlive(row: Row): boolean {
  return row.deleted_at === null
}

/** Whether a row of the table belongs to the resource. Only rows with the view's values belong to a view. */
function isRowOf<R extends Resource>({ view }: R, row: Row): row is RowOf<R> {
  return view === undefined || hasValues(row, view.where)
}

/**
 * Row of a resource's table, with the type of its declaration. Throws if the row does not belong to the
 * resource.
 */
export function rowOf<R extends Resource>(resource: R, row: Row): RowOf<R> {
  if (!isRowOf(resource, row)) throw new Error(`${row.id} is not a ${resource.name}`)
  return row
}

function hasValues(row: Row, values: Row): boolean {
  return Object.entries(values).every(([column, value]) => row[column] === value)
}

/** Columns that have a value; undefined means that the column stays as it is. */
function givenColumns(columns: Partial<Row>): Row {
  const given: Row = {}
  for (const [column, value] of Object.entries(columns)) if (value !== undefined) given[column] = value
  return given
}
