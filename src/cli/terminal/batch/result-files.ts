import { type CsvStyle, csvText } from '../output/csv.js'
import type { BatchFile } from './batch-file.js'
import { REASON } from './columns.js'
import { ResultsDraft } from './draft.js'
import type { RawRow } from './raw-rows.js'

/** The outcome of a row, as the service reports it. */
export interface RowOutcome {
  readonly status: string
  readonly id: string | null
  readonly error: string | null
  /** Whether it had this outcome before this request. */
  readonly before: boolean
}

const MARK = '\ufeff'

/** The result files of a batch: the outcome of every row, and the rows to fix. Each is complete or does not exist. */
export class ResultFiles {
  private readonly results: ResultsDraft
  private readonly failed: ResultsDraft
  private readonly csv: boolean
  private readonly style: CsvStyle
  /** Whether the file was itself a failed file. */
  private readonly hasReason: boolean

  constructor(
    base: string,
    private readonly file: BatchFile,
    private readonly isSafe: boolean,
  ) {
    const { format, mark, delimiter } = file.dialect
    this.style = { delimiter, isSafe }
    this.csv = format === 'csv'
    const start = mark ? MARK : ''
    this.hasReason = file.header[0]?.trim() === REASON
    const header = this.csv ? csvText([[REASON, ...this.own(file.header)]], this.style) : ''
    this.results = new ResultsDraft(
      `${base}.results.${format}`,
      this.csv ? csvText([['row', 'status', 'id', 'error']]) : '',
    )
    this.failed = new ResultsDraft(`${base}.failed.${format}`, start + header)
  }

  add({ row, cells }: RawRow, { status, id, error }: RowOutcome): void {
    const words = error === null ? null : this.inWords(error)
    this.results.add(
      this.csv
        ? csvText([[row, status, id, words]], { isSafe: this.isSafe })
        : `${JSON.stringify({ row, status, id, error: words })}\n`,
    )
    if (status !== 'failed' && status !== 'declined') return
    // The reason stands first: where cells are missing or too many, it must not become one of them.
    this.failed.add(this.csv ? csvText([[words, ...this.own(cells)]], this.style) : `${cells[0]}\n`)
  }

  /** Gives the files their names; returns their paths. An earlier file of rows to fix is kept, as it may have been edited. */
  publish(): readonly string[] {
    this.results.publish()
    if (this.failed.lines === 0) {
      this.failed.drop()
      return [this.results.path]
    }
    this.failed.publish(true)
    return [this.results.path, this.failed.path]
  }

  /** The cells of the operator's own columns. */
  private own(cells: readonly string[]): readonly string[] {
    return this.hasReason ? cells.slice(1) : cells
  }

  drop(): void {
    this.results.drop()
    this.failed.drop()
  }

  /** An error with attributes named as the file names its columns. */
  private inWords(error: string): string {
    return this.file.columns.reduce((text, { header, attribute }) => {
      const name = attribute?.path.join('.')
      if (name === undefined || name === header) return text
      return text.startsWith(`${name}: `)
        ? header + text.slice(name.length)
        : text.replace(`; ${name}: `, `; ${header}: `)
    }, error)
  }
}
