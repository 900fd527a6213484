import { type AdminOperation, adminOperation, type PlainFields } from '../../schema/admin-operation.js'
import { date, group, integer, oneOf, ref, rows, text, type ValueField } from '../../schema/field.js'

/** Lengths of the periods for which sums are shown. */
export const BUCKETS = ['day', 'week', 'month'] as const

/**
 * Figure from the journal: sum or number of the amounts that move from one book account to another. Amounts
 * that move back are subtracted.
 */
export interface BookedMeasure {
  readonly of: 'amount' | 'count'
  /** Types of the transactions for which the amounts are booked; all if omitted. */
  readonly types?: readonly string[]
  /** Book accounts that the amounts leave and enter; any if omitted. */
  readonly from?: string
  readonly to?: string
}

/** Rule by which a column of sums is computed. */
export type Measure =
  | BookedMeasure
  /** Number of payments that were declined, or that no bank has decided on. */
  | { readonly of: 'declines' | 'outages' }
  /** Value of the column `from`, less the columns in `less`. */
  | { readonly of: 'rest'; readonly from: string; readonly less: readonly string[] }
  /** The column `part` as a percentage of the sum of `part` and `beside`. */
  | { readonly of: 'share'; readonly part: string; readonly beside: string }

export interface ReportColumn {
  /** Heading that people read. */
  readonly label: string
  readonly field: ValueField
  /** Rule by which the column is computed; only in a report of sums. */
  readonly measure?: Measure
  /** Whether the totals have the sum of the column. */
  readonly isTotalled?: true
}

/** Kind of the rows of a report. */
export type ReportRows =
  /** Sums of the journal by day, week or month, and with `byAccount` also by processing account. */
  | { readonly of: 'sums'; readonly byAccount: boolean; readonly plot: string }
  /** A change of a book account, between its opening and its closing balance. */
  | { readonly of: 'statements'; readonly account: string }
  | { readonly of: 'postings' }
  | { readonly of: 'deposits' }
  | { readonly of: 'disputes' }
  /** Open invoices of a customer, by the days since they were due. */
  | { readonly of: 'receivables' }

/**
 * A report: the kind of its rows, and its columns in order. Its operation, flags and output are derived
 * from this declaration.
 */
export interface Report {
  readonly name: string
  readonly summary: string
  readonly rows: ReportRows
  readonly columns: { readonly [name: string]: ReportColumn }
  /** Totals in addition to the sums of columns. */
  readonly totals?: PlainFields
  /** Attributes of the answer in addition to those of every report. */
  readonly more?: PlainFields
}

export const declareReport = <const R extends Report>(declaration: R): R => declaration

/** The admin operation that answers a report. */
export function reportOperation(declared: Report): AdminOperation {
  const { name, summary, more = {} } = declared
  const { input: pageInput, output: pageOutput } = isPaged(declared) ? page : { input: {}, output: {} }
  const by: PlainFields =
    declared.rows.of === 'sums' ? { by: byField(declared.rows.byAccount ? 'month' : 'day') } : {}
  return adminOperation({
    name: `report_${name}`,
    method: 'GET',
    path: `admin/reports/${name}`,
    summary,
    moves: 'nothing',
    least: 'viewer',
    isScoped: true,
    readsMuch: true,
    input: {
      from: date({ doc: 'first day of the period; without one, and without to, the last whole month' }),
      to: date({ doc: 'last day of the period' }),
      account: ref('processing_account', { doc: 'the processing account; all of them unless given' }),
      ...by,
      ...pageInput,
    },
    object: 'report',
    output: {
      name: text({ doc: 'the report' }),
      from: date({ doc: 'first day of the period' }),
      to: date({ doc: 'last day of the period' }),
      zone: text({ doc: "time zone of the period's days: the organization's" }),
      account: ref('processing_account', { doc: 'the processing account, if it is of one only' }),
      ...by,
      columns: rows(
        {
          name: text({ doc: 'name of the attribute of a row' }),
          label: text({ doc: 'its heading' }),
          kind: text({ doc: 'what its values are, such as money or date' }),
        },
        { doc: 'the columns, in order' },
      ),
      rows: rows(rowFieldsOf(declared), { doc: 'the rows, in order' }),
      totals: group(totalFieldsOf(declared), { doc: 'sums over the whole period' }),
      ...more,
      ...pageOutput,
    },
  })
}

/** Default and maximum number of rows in a page. */
export const PAGE_SIZE = { usual: 1_000, most: 20_000 } as const

/** Further input and output of reports whose rows are returned page by page. */
const page = {
  input: {
    limit: integer({
      min: 1,
      max: PAGE_SIZE.most,
      doc: `number of rows after which a page ends; rows of the same second stay together; ${PAGE_SIZE.usual} unless given`,
    }),
    after: text({ max: 20_000, doc: 'where to continue: the next of the previous answer' }),
  },
  output: {
    next: text({
      doc: 'value of after for the next page, if more rows follow; the totals then cover the rows up to there',
    }),
  },
} as const

/** Whether a report may have so many rows that they are answered page by page. */
function isPaged({ rows: { of } }: Report): boolean {
  return of === 'statements' || of === 'postings'
}

function byField(usual: (typeof BUCKETS)[number]) {
  return oneOf(BUCKETS, { doc: `period that a row sums up; a ${usual} unless given` })
}

/** The fields of a row. */
export function rowFieldsOf({ columns }: Report): PlainFields {
  return Object.fromEntries(Object.entries(columns).map(([name, { field }]) => [name, field]))
}

/** The fields of the totals. */
export function totalFieldsOf({ columns, totals = {} }: Report): PlainFields {
  const summed = Object.entries(columns).filter(([, { isTotalled, measure }]) => isTotalled || measure)
  return { ...Object.fromEntries(summed.map(([name, { field }]) => [name, field])), ...totals }
}
