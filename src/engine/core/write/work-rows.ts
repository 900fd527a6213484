import { sql } from 'kysely'
import { type Row, tableColumnsOf } from '../../../schema/columns.js'
import type { Registry } from '../../../schema/registry.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { lockRows, type RowLock } from '../../store/database/differences.js'
import type { Tx } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import { type QueryContext, visible } from '../query/where.js'
import { statementsOf } from '../read/statements.js'
import { ApiError } from '../request/api-error.js'
import type { Principal } from '../request/principal.js'
import { isRelated, type ParentRef } from '../request/route.js'

/** A small tree on many matches would block everybody else: twice the maximum matches of one query. */
const MAX_WRITTEN = 20_000
/** So many ids go in one statement; a database takes so many values at once. */
const BATCH_SIZE = 1_000

/** Rows of any resource as one unit of work reads and writes them: each is cached, so that it is read once. */
export abstract class Rows {
  abstract readonly registry: Registry
  abstract readonly vault: Vault
  abstract readonly tx: Tx
  abstract readonly principal: Principal
  abstract readonly now: string
  /** Whether rows are locked: not in a read, and not on SQLite, where nobody else writes meanwhile. */
  abstract readonly locks: boolean
  abstract newId(prefix: string): string
  private readonly rows = new Map<string, Map<string, Row>>()
  private readonly held = new Map<string, Map<string, RowLock>>()
  private readonly written = new Map<Resource, Set<string>>()
  /** Those of the written rows that a narrowed principal has written. */
  private readonly narrowlyWritten = new Map<Resource, Set<string>>()
  /**
   * Ids of rows that this unit of work has inserted. They are in scope even before the row that relates them to a
   * processing account is written. `refuseForeign` checks at the end that they are.
   */
  private readonly inserted = new Set<string>()

  get queryContext(): QueryContext {
    const { registry, principal, vault, tx, now } = this
    return { registry, principal, vault, dialect: tx.dialect, now }
  }

  /** Whether a row is below the parent of a nested path, and the parent is in scope. */
  async isBelow(parent: ParentRef, row: Row): Promise<boolean> {
    const parentRow = await this.findRow(parent.resource, parent.id)
    return parentRow !== undefined && isRelated(parent, parentRow, row)
  }

  cachedRow(table: string, id: string): Row | undefined {
    return this.rows.get(table)?.get(id)
  }

  findRow(resource: Resource, id: string): Promise<Row | undefined> {
    return this.lockRow(resource, id, 'reference')
  }

  async keptRow(resource: Resource, id: string): Promise<Row | undefined> {
    const [row] = await this.tx.run(statementsOf(resource).byIdEver, { id })
    return row?.deleted_at === null ? undefined : row
  }

  async lockRow(resource: Resource, id: string, lock: RowLock = 'change'): Promise<Row | undefined> {
    if (this.principal.processingIds && !this.inserted.has(id))
      return await this.findVisible(resource, id, lock)
    const cached = this.cachedRow(tableNameOf(resource), id)
    if (cached && this.holds(resource, id, lock)) return isOfView(resource, cached) ? cached : undefined
    const { byId, lockedById } = statementsOf(resource)
    const [row] = await this.tx.run(this.locks ? lockedById[lock] : byId, { id })
    return row && this.keep(resource, row, lock)
  }

  /** Locks rows in the order of their ids, so that of two lists neither waits for the other. Those that are gone, or out of scope, are left out. */
  async lockInOrder(resource: Resource, ids: readonly string[], lock: RowLock): Promise<void> {
    if (!this.locks) return
    const requested = [...new Set(ids)].filter((id) => !this.holds(resource, id, lock)).toSorted()
    for (let start = 0; start < requested.length; start += BATCH_SIZE) {
      const query = this.visibleRows(resource)
        .where('t.id', 'in', requested.slice(start, start + BATCH_SIZE))
        .orderBy('t.id')
      for (const row of await lockRows(this.tx.dialect, query, lock).execute()) this.keep(resource, row, lock)
    }
  }

  /** Notes that a query has locked a row. */
  keep(resource: Resource, row: Row, lock: RowLock): Row {
    if (this.locks && !this.holds(resource, String(row.id), lock)) {
      const table = tableNameOf(resource)
      const held = this.held.get(table) ?? new Map<string, RowLock>()
      this.held.set(table, held.set(String(row.id), lock))
    }
    return this.cacheRow(resource, row)
  }

  private holds(resource: Resource, id: string, lock: RowLock): boolean {
    if (!this.locks || this.inserted.has(id)) return true
    const held = this.held.get(tableNameOf(resource))?.get(id)
    return held !== undefined && STRENGTH[held] >= STRENGTH[lock]
  }

  private visibleRows(resource: Resource) {
    return this.tx.any
      .selectFrom(`${tableNameOf(resource)} as t`)
      .selectAll()
      .where((eb) => visible(eb, 't', resource, this))
  }

  async rowsBy(resource: Resource, column: string, value: string): Promise<Row[]> {
    const rows = await this.visibleRows(resource)
      .where(sql.ref(`t.${column}`), '=', value)
      .orderBy('t.id')
      .execute()
    const found = rows.map((row) => this.cacheRow(resource, row))
    return this.principal.processingIds ? this.withInserted(found, resource, { [column]: value }) : found
  }

  blankRow(resource: Resource): Row {
    const id = this.newId(resource.prefix)
    return { ...emptyRow(resource), id, created_at: this.now, modified_at: this.now }
  }

  async insertRow(resource: Resource, row: Row): Promise<void> {
    await this.tx.change(statementsOf(resource).insert, row)
    this.inserted.add(String(row.id))
    this.cacheRow(resource, row)
    this.touch(resource, row)
  }

  async changeRow(resource: Resource, id: string, columns: Row): Promise<Row> {
    const changes: Row = { ...columns, modified_at: this.now }
    await this.tx.change(statementsOf(resource).update(Object.keys(changes)), { ...changes, id })
    const cached = this.cachedRow(tableNameOf(resource), id)
    if (!cached) return await this.refreshRow(resource, id)
    const row = { ...cached, ...changes }
    this.touch(resource, row)
    return this.cacheRow(resource, row)
  }

  async refreshRow(resource: Resource, id: string): Promise<Row> {
    const row = await this.rereadRow(resource, id)
    if (!row) throw new Error(`${id} is gone within its own unit of work`)
    return row
  }

  /** A row that was written before, as it is now: somebody else may have deleted it since. */
  async latestRow(resource: Resource, id: string): Promise<Row> {
    const row = (await this.rereadRow(resource, id)) ?? (await this.keptRow(resource, id))
    if (!row) throw new Error(`${id} was written, and is not there`)
    return row
  }

  private async rereadRow(resource: Resource, id: string): Promise<Row | undefined> {
    const [row] = await this.tx.run(statementsOf(resource).byId, { id })
    if (!row) return undefined
    this.touch(resource, row)
    return this.cacheRow(resource, row)
  }

  /** Marks a row as deleted, after waiting for units of work that name it. One that is deleted already stays as it is. */
  async markDeleted(resource: Resource, { id }: Row): Promise<void> {
    const locked = await this.lockRow(resource, String(id), 'deletion')
    if (locked) await this.changeRow(resource, String(id), { deleted_at: this.now })
  }

  /** Checks that everything that a narrowed principal has written is still in its scope. Throws `Forbidden`. */
  async refuseForeign(): Promise<void> {
    for (const [resource, written] of this.narrowlyWritten) {
      const ids = [...written]
      for (let start = 0; start < ids.length; start += BATCH_SIZE)
        await this.refuseForeignBatch(resource, ids.slice(start, start + BATCH_SIZE))
    }
  }

  private async refuseForeignBatch(resource: Resource, ids: readonly string[]): Promise<void> {
    const found = await this.tx.any
      .selectFrom(`${tableNameOf(resource)} as t`)
      .select('t.id')
      .where('t.id', 'in', [...ids])
      .where((eb) => eb.or([eb('t.deleted_at', 'is not', null), visible(eb, 't', resource, this)]))
      .execute()
    if (found.length === ids.length) return
    throw new ApiError('Forbidden', `The key may only write ${resource.plural} of its processing accounts`)
  }

  private async findVisible(resource: Resource, id: string, lock: RowLock): Promise<Row | undefined> {
    const query = this.visibleRows(resource).where('t.id', '=', id)
    const row = await (this.locks ? lockRows(this.tx.dialect, query, lock) : query).executeTakeFirst()
    return row && this.keep(resource, row, lock)
  }

  /** The rows and the inserted ones with these values, in the order of their ids. */
  private withInserted(rows: readonly Row[], resource: Resource, values: Row): Row[] {
    const all = new Map(rows.map((row) => [row.id, row]))
    for (const row of this.rows.get(tableNameOf(resource))?.values() ?? [])
      if (this.inserted.has(String(row.id)) && isOfView(resource, row) && hasValues(row, values))
        all.set(row.id, row)
    return [...all.values()].toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
  }

  private cacheRow(resource: Resource, row: Row): Row {
    const table = tableNameOf(resource)
    const rows = this.rows.get(table) ?? new Map<string, Row>()
    rows.set(String(row.id), row)
    this.rows.set(table, rows)
    return row
  }

  private touch(resource: Resource, row: Row): void {
    const ids = noted(this.written, resource, String(row.id))
    if (this.principal.processingIds) noted(this.narrowlyWritten, resource, String(row.id))
    if (ids.size > MAX_WRITTEN)
      throw new ApiError('BadRequest', `One request may write at most ${MAX_WRITTEN} ${resource.plural}`)
  }
}

function noted(written: Map<Resource, Set<string>>, resource: Resource, id: string): Set<string> {
  const ids = written.get(resource) ?? new Set<string>()
  written.set(resource, ids.add(id))
  return ids
}

const STRENGTH: Readonly<Record<RowLock, number>> = { reference: 1, change: 2, deletion: 3 }

function isOfView(resource: Resource, row: Row): boolean {
  return row.deleted_at === null && hasValues(row, resource.view?.where ?? {})
}

function hasValues(row: Row, values: Row): boolean {
  return Object.entries(values).every(([column, value]) => row[column] === value)
}

/** Every column empty but those that make a row part of its view. */
function emptyRow(resource: Resource): Row {
  const known = emptyRows.get(resource)
  if (known) return known
  const names = tableColumnsOf(resource).map(({ name }) => [name, null])
  // Through JSON, so that all rows of a resource share one layout in memory.
  const row: Row = JSON.parse(JSON.stringify({ ...Object.fromEntries(names), ...resource.view?.where }))
  emptyRows.set(resource, row)
  return row
}
const emptyRows = new WeakMap<Resource, Row>()
