import type { Statement } from 'better-sqlite3'
import type { SqliteStatement } from './sqlite-statements.js'

/** Maximum number of waiting rows, so that a commit needs little memory. */
const MAX_WAITING = 4_096

/** Rows that wait to be inserted into one table. */
interface Waiting {
  readonly insert: Statement<unknown[]>
  readonly rows: (readonly unknown[])[]
}

/**
 * New rows of units of work that share a commit. They are written table by table when all units have ended,
 * so that a table and its indexes stay in the caches of the CPU.
 *
 * The result is the same: before a statement that may read waiting rows, or makes another change, they are
 * written first. Only a wrong reference, to a row of a later unit, would be accepted. Such a reference cannot
 * occur, because a unit reads a row before it references the row.
 */
export class InsertBuffer {
  private isOn = false
  private hasFailed = false
  /** Rows by table, in the order of writing, which keeps the order of each unit of work. */
  private tables: Waiting[] = []
  private readonly ids = new Map<string, Set<unknown>>()
  private count = 0
  /** Position in `tables` of the last row of the current unit of work; -1 if it has none. */
  private last = -1

  /** Starts to collect new rows. */
  wait(): void {
    this.isOn = true
  }

  /** Starts the next unit of work. */
  nextWork(): void {
    this.last = -1
  }

  /**
   * Takes the rows of a statement. Returns whether they are waiting now; false means that the statement
   * must be run.
   */
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

  /** Writes waiting rows before a statement that may read them or makes another change. */
  writeFor(statement: SqliteStatement, parameters: readonly unknown[]): void {
    if (this.count === 0) return
    if (!statement.prepared.readonly || this.isReadBy(statement, parameters)) this.write()
  }

  private isReadBy({ byId, reads }: SqliteStatement, [id]: readonly unknown[]): boolean {
    if (byId) return this.ids.get(byId.table)?.has(id) === true
    return reads === 'any' || [...this.ids.keys()].some((table) => reads.has(table))
  }

  /**
   * Writes the waiting rows and stops collecting. Returns whether all rows were written. If not, each unit
   * of work must run again separately, so that the error reaches the unit that caused it.
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

  /** Drops the waiting rows after a rollback. */
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

  /** Place for a row, after the previous rows of the same unit of work. */
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

/**
 * Whether a row with one of these ids is already waiting. It is then written first, because its place may
 * come after the new one.
 */
function isAmong(
  ids: ReadonlySet<unknown>,
  parameters: readonly unknown[],
  { id, width }: { readonly id: number; readonly width: number },
): boolean {
  for (let at = id; at < parameters.length; at += width) if (ids.has(parameters[at])) return true
  return false
}
