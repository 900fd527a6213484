import { type CsvStyle, csvText } from '../output/csv.js'
import type { BatchFile } from './batch-file.js'
import { ResultsDraft } from './draft.js'
import type { RawRow } from './raw-rows.js'

/** What became of a row, as the service tells it. */
export interface RowOutcome {
  readonly status: string
  readonly id: string | null
  readonly error: string | null
  /** It had its outcome before it was asked for now. */
  readonly before: boolean
}

const MARK = '\ufeff'

/** What is written beside a file: what became of every row, and the rows to mend. Each is whole or not there. */
export class ResultFiles {
  private readonly results: ResultsDraft
  private readonly failed: ResultsDraft
  private readonly csv: boolean
  private readonly style: CsvStyle

  constructor(
    base: string,
    private readonly file: BatchFile,
    private readonly isSafe: boolean,
  ) {
    const { format, mark, delimiter } = file.dialect
    this.style = { delimiter, isSafe }
    this.csv = format === 'csv'
    const start = mark ? MARK : ''
    const header = this.csv ? csvText([file.header], this.style) : ''
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
    this.failed.add(this.csv ? csvText([cells], this.style) : `${cells[0]}\n`)
  }

  /** Gives the files their names; answers those that there are. A file of rows to mend, mended or not, is kept. */
  publish(): readonly string[] {
    this.results.publish()
    if (this.failed.lines === 0) {
      this.failed.drop()
      return [this.results.path]
    }
    this.failed.publish(true)
    return [this.results.path, this.failed.path]
  }

  drop(): void {
    this.results.drop()
    this.failed.drop()
  }

  /** Attributes by the names that the file gives its columns. */
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
