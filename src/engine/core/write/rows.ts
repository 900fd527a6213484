import { sql } from 'kysely'
import { type Row, tableColumnsOf } from '../../../schema/columns.js'
import type { Registry } from '../../../schema/registry.js'
import { type Resource, tableNameOf } from '../../../schema/resource.js'
import { lockRows } from '../../store/database/differences.js'
import type { Tx } from '../../store/database/store.js'
import type { Vault } from '../../store/vault/vault.js'
import { type QueryContext, visible } from '../query/where.js'
import { statementsOf } from '../read/statements.js'
import { ApiError } from '../request/errors.js'
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
  abstract newId(prefix: string): string
  private readonly rows = new Map<string, Map<string, Row>>()
  private readonly written = new Map<Resource, Set<string>>()
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

  async findRow(resource: Resource, id: string): Promise<Row | undefined> {
    if (this.principal.processingIds && !this.inserted.has(id))
      return await this.findVisible(resource, id, false)
    const cached = this.cachedRow(tableNameOf(resource), id)
    if (cached) return isOfView(resource, cached) ? cached : undefined
    const [row] = await this.tx.run(statementsOf(resource).byId, { id })
    return row && this.cacheRow(resource, row)
  }

  async lockRow(resource: Resource, id: string): Promise<Row | undefined> {
    if (this.tx.dialect === 'sqlite' || this.inserted.has(id)) return await this.findRow(resource, id)
    return await this.findVisible(resource, id, true)
  }

  async rowsBy(resource: Resource, column: string, value: string): Promise<Row[]> {
    const rows = await this.tx.any
      .selectFrom(`${tableNameOf(resource)} as t`)
      .selectAll()
      .where(sql.ref(`t.${column}`), '=', value)
      .where((eb) => visible(eb, 't', resource, this))
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
    const [row] = await this.tx.run(statementsOf(resource).byId, { id })
    if (!row) throw new Error(`${id} is gone within its own unit of work`)
    this.touch(resource, row)
    return this.cacheRow(resource, row)
  }

  async markDeleted(resource: Resource, row: Row): Promise<void> {
    this.cacheRow(resource, row)
    await this.changeRow(resource, String(row.id), { deleted_at: this.now })
  }

  /** Checks that everything written is still in the principal's scope. Throws `Forbidden`. */
  async refuseForeign(): Promise<void> {
    for (const [resource, written] of this.written) {
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

  private async findVisible(resource: Resource, id: string, locked: boolean): Promise<Row | undefined> {
    const query = this.tx.any
      .selectFrom(`${tableNameOf(resource)} as t`)
      .selectAll()
      .where('t.id', '=', id)
      .where((eb) => visible(eb, 't', resource, this))
    const row = await (locked ? lockRows(this.tx.dialect, query) : query).executeTakeFirst()
    return row && this.cacheRow(resource, row)
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
    const ids = this.written.get(resource) ?? new Set<string>()
    ids.add(String(row.id))
    this.written.set(resource, ids)
    if (ids.size > MAX_WRITTEN)
      throw new ApiError('BadRequest', `One request may write at most ${MAX_WRITTEN} ${resource.plural}`)
  }
}

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
