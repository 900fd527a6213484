import type { Statement } from 'better-sqlite3'
import type { SqliteStatement } from './sqlite-statements.js'

/** So many rows wait at most, so that a commit needs little memory. */
const MAX_WAITING = 4_096

/** Rows for one table. */
interface Waiting {
  readonly insert: Statement<unknown[]>
  readonly rows: (readonly unknown[])[]
}

/**
 * New rows of works that share a commit. They wait until all of these have decided, and are then written table by table: one
 * table with its indexes stays in the processor's caches, which each work's own rows would find filled with other things.
 * Nobody sees a difference: what a statement may read is written before it, and so is everything before another change. Only a
 * row that names a later work's would not be refused; who names a row has read it before.
 */
export class InsertBuffer {
  private isOn = false
  private hasFailed = false
  /** In the order in which they are written, which is that of each of the works. */
  private tables: Waiting[] = []
  private readonly ids = new Map<string, Set<unknown>>()
  private count = 0
  /** Where the last row of the work that runs is. */
  private last = -1

  /** From now on, new rows wait. */
  wait(): void {
    this.isOn = true
  }

  /** What comes is another work's. */
  nextWork(): void {
    this.last = -1
  }

  /** Whether the rows of a statement wait now. */
  take({ table, rows: inserted, insertsOne }: SqliteStatement, parameters: readonly unknown[]): boolean {
    if (!this.isOn || !insertsOne || !inserted || table === undefined) return false
    const width = inserted.columns.length
    const { id } = inserted
    const ids = this.ids.get(table) ?? new Set()
    if (this.count >= MAX_WAITING || isAmong(ids, parameters, { id, width })) {
      this.write()
      ids.clear()
    }
    const { rows } = this.placeOf(insertsOne)
    this.ids.set(table, ids)
    for (let start = 0; start < parameters.length; start += width) {
      rows.push(parameters.length === width ? parameters : parameters.slice(start, start + width))
      ids.add(parameters[start + id])
      this.count++
    }
    return true
  }

  /** Writes what waits before a statement that may read it, or changes something. */
  writeFor(statement: SqliteStatement, parameters: readonly unknown[]): void {
    if (this.count === 0) return
    if (!statement.prepared.readonly || this.isReadBy(statement, parameters)) this.write()
  }

  private isReadBy({ byId, reads }: SqliteStatement, [id]: readonly unknown[]): boolean {
    if (byId) return this.ids.get(byId.table)?.has(id) === true
    return reads === 'any' || [...this.ids.keys()].some((table) => reads.has(table))
  }

  /**
   * Writes what still waits; nothing waits any more. Says whether all was written: if not, each of the works has to run again
   * by itself, so that the one whose row it is meets the error.
   */
  end(): boolean {
    this.isOn = false
    try {
      this.write()
    } catch {
      return false
    }
    return !this.hasFailed
  }

  /** Forgets what waits: it was rolled back. */
  drop(): void {
    this.clear()
    this.isOn = false
    this.hasFailed = false
  }

  private write(): void {
    const { tables } = this
    this.clear()
    try {
      for (const { insert, rows } of tables) for (const row of rows) insert.run(row)
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }

  private clear(): void {
    this.tables = []
    this.ids.clear()
    this.count = 0
    this.last = -1
  }

  /** Behind what the work has written before. */
  private placeOf(insert: Statement<unknown[]>): Waiting {
    const from = Math.max(this.last, 0)
    const found = this.tables.findIndex((each, index) => index >= from && each.insert === insert)
    const known = this.tables[found]
    this.last = known ? found : this.last + 1
    if (known) return known
    const place = { insert, rows: [] }
    this.tables.splice(this.last, 0, place)
    return place
  }
}

/** Whether one of the rows waits already: it is written first, for its place may be behind that of the other. */
function isAmong(
  ids: ReadonlySet<unknown>,
  parameters: readonly unknown[],
  { id, width }: { readonly id: number; readonly width: number },
): boolean {
  for (let at = id; at < parameters.length; at += width) if (ids.has(parameters[at])) return true
  return false
}
