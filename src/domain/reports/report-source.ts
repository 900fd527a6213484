import type { Work } from '../../engine/core/write/work.js'
import type { Report } from '../../resources/reports/report.js'
import type { Stored } from '../../schema/columns.js'
import type { ReportRow, ReportStart } from './report-cursor.js'
import type { BucketLength, ReportPeriod } from './report-period.js'
import type { ReportAccounts } from './report-scope.js'

/** Request for a report. */
export interface ReportRequest {
  readonly db: Work['tx']['db']
  readonly report: Report
  readonly period: ReportPeriod
  readonly accounts: ReportAccounts
  /** Length of the time that a row of sums covers. */
  readonly by: BucketLength
  /** Start of the page; undefined for the first one. */
  readonly start: ReportStart | undefined
  /** Approximate number of rows on a page of a statement or journal; rows of one second are never divided. */
  readonly limit: number
}

/** Contents of a report. The order of rows depends only on the booked data. */
export interface ReportContent {
  readonly rows: readonly ReportRow[]
  readonly totals: ReportRow
  /** Attributes of the answer that only this report has. */
  readonly more?: { readonly [attribute: string]: readonly ReportRow[] }
  /** Start of the next page; undefined on the last one. */
  readonly next?: ReportStart
}

/** The sums of the columns that have totals, added to the totals of earlier rows. */
export function totalsOfRows(
  { columns }: Report,
  rows: readonly ReportRow[],
  before: ReportRow = {},
): ReportRow {
  const totalled = Object.keys(columns).filter((name) => columns[name]?.isTotalled)
  return Object.fromEntries(
    totalled.map((name) => [
      name,
      rows.reduce((sum, row) => sum + figureIn(row[name]), figureIn(before[name])),
    ]),
  )
}

/** An amount of a row in minor units, or a number; 0 for none. */
export function figureIn(value: Stored | undefined): number {
  return typeof value === 'number' ? value : 0
}
