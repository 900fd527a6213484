import { csvText } from '../../../platform/csv-text.js'
import { safeHeader } from '../../../schema/safe-csv.js'
import type { CsvStyle } from '../output/csv.js'
import type { BatchFile } from './batch-file.js'
import { byHeaders, REASON } from './file-columns.js'
import type { RawRow } from './raw-rows.js'
import { ResultsDraft } from './results-draft.js'

/** The outcome of a row, as the service reports it. */
export interface RowOutcome {
  readonly status: string
  readonly id: string | null
  readonly error: string | null
  /** Whether the row had this outcome before this request. */
  readonly before: boolean
}

interface DecidedRow {
  readonly row: { readonly raw: RawRow }
  readonly outcome: RowOutcome
}

const MARK = '\ufeff'

/** Result files of a batch: the outcome of every row, and the rows to fix. Each file is complete or does not exist. */
export class ResultFiles {
  private readonly results: ResultsDraft
  private readonly failed: ResultsDraft
  private readonly csv: boolean
  private readonly style: CsvStyle
  /** Whether the input is itself a failed file. */
  private readonly hasReason: boolean

  constructor(
    base: string,
    private readonly file: BatchFile,
    private readonly isSafe: boolean,
  ) {
    const { format, mark, delimiter, separatorLine, isExact } = file.dialect
    this.style = { delimiter, isSafe }
    this.csv = format === 'csv'
    const start = (mark ? MARK : '') + separatorLine
    this.hasReason = file.header[0]?.trim() === REASON
    const names = [REASON, ...this.own(file.header)]
    const marked = isExact && isSafe ? safeHeader(names) : names
    const header = this.csv ? csvText([marked], this.style) : ''
    this.results = new ResultsDraft(
      `${base}.results.${format}`,
      this.csv ? csvText([['row', 'status', 'id', 'error']]) : '',
    )
    try {
      this.failed = new ResultsDraft(`${base}.failed.${format}`, start + header)
    } catch (error) {
      this.results.drop()
      throw error
    }
  }

  add(decided: readonly DecidedRow[]): void {
    const rows = decided.map(({ row: { raw }, outcome: { error, ...outcome } }) => ({
      ...outcome,
      raw,
      words: error === null ? null : byHeaders(this.file.columns, error),
    }))
    this.results.add(
      this.csv
        ? csvText(
            rows.map(({ raw: { row }, status, id, words }) => [row, status, id, words]),
            { isSafe: this.isSafe },
          )
        : linesOf(
            rows.map(({ raw: { row }, status, id, words: error }) =>
              JSON.stringify({ row, status, id, error }),
            ),
          ),
      rows.length,
    )
    const failed = rows.filter(({ status }) => status === 'failed' || status === 'declined')
    if (failed.length === 0) return
    this.failed.add(
      this.csv
        ? // The reason comes first. After missing or surplus cells, it would be below the header of an attribute.
          csvText(
            failed.map(({ raw, words }) => [words, ...this.own(raw.cells)]),
            this.style,
          )
        : linesOf(failed.map(({ raw }) => raw.cells[0] ?? '')),
      failed.length,
    )
  }

  /**
   * Renames the drafts to their final names if there are outcomes. After a failure, as on a full disk, both
   * drafts are removed; the database has all outcomes.
   */
  end(hasOutcomes: boolean): { readonly paths?: readonly string[]; readonly failure?: unknown } {
    try {
      if (hasOutcomes) return { paths: this.publish() }
      this.drop()
      return {}
    } catch (failure) {
      this.drop()
      return { failure }
    }
  }

  /**
   * Renames the drafts and returns their paths. An earlier failed file is kept as `.bak`, because it may
   * have been edited.
   */
  private publish(): readonly string[] {
    this.results.complete()
    this.failed.complete()
    this.results.publish()
    if (this.failed.lines === 0) {
      this.failed.drop()
      return [this.results.path]
    }
    this.failed.publish(true)
    return [this.results.path, this.failed.path]
  }

  /** Cells of the operator's own columns. */
  private own(cells: readonly string[]): readonly string[] {
    return this.hasReason ? cells.slice(1) : cells
  }

  drop(): void {
    this.results.drop()
    this.failed.drop()
  }
}

function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `${text}\n`).join('')
}
