import type { Database, Statement } from 'better-sqlite3'

/** An insert of rows whose values are given: what stands before its list of columns and behind its values. */
interface InsertText {
  readonly into: string
  readonly names: readonly string[]
  readonly conflict: string
}

/**
 * Inserts rows one by one, and names only the columns in which any of them has held something: half of what a payment inserts
 * is nothing, and each value that is bound takes its time. A column that is not named holds nothing, too.
 */
export class FilledInsert {
  private filled: readonly number[] = []
  private empty: readonly number[]
  private statement: Statement<unknown[]> | undefined

  constructor(
    private readonly database: Database,
    private readonly text: InsertText,
  ) {
    this.empty = [...text.names.keys()]
  }

  run(row: readonly unknown[]): void {
    if (!this.statement || this.empty.some((at) => row[at] !== null)) this.statement = this.prepare(row)
    this.statement.run(this.filled.map((at) => row[at]))
  }

  private prepare(row: readonly unknown[]): Statement<unknown[]> {
    const { into, names, conflict } = this.text
    const places = [...names.keys()]
    this.empty = this.empty.filter((at) => row[at] === null)
    this.filled = places.filter((at) => !this.empty.includes(at))
    const columns = this.filled.map((at) => names[at]).join(', ')
    const values = this.filled.map(() => '?').join(', ')
    return this.database.prepare(`${into} (${columns}) values (${values})${conflict}`)
  }
}
