import type { JsonObject } from '../../../schema/json.js'
import type { DateOrder } from '../input/date-order.js'
import { DateOrders } from './date-orders.js'
import type { FileColumn } from './file-columns.js'
import { type Mark, NumberMarks } from './number-marks.js'
import type { RawRow } from './raw-rows.js'
import { refuseFile } from './refusal.js'

/** Notation given as flags. A notation that is omitted is detected from the whole file. */
export interface GivenNotation {
  readonly decimal?: Mark | undefined
  readonly dates?: DateOrder | undefined
}

/** Notation of a file. */
export interface Survey {
  readonly decimal: Mark
  /** Sentences about the notation that the file is read with. */
  readonly notes: readonly string[]
  /** The columns, with the order of day and month in their dates. */
  readonly columns: readonly FileColumn[]
}

interface Surveyed {
  readonly columns: readonly FileColumn[]
  readonly given: GivenNotation
  readonly delimiter: string
}

/**
 * Detects the notation of numbers and dates from all rows below the header, never from a single cell.
 * Throws a `Refusal` for columns that allow two readings, or that have cells but no name.
 */
export async function surveyOf(
  pages: AsyncIterable<readonly RawRow[]>,
  { columns, given, delimiter }: Surveyed,
): Promise<Survey> {
  const problems: JsonObject = {}
  const marks = new NumberMarks()
  const orders = new Map<FileColumn, DateOrders>()
  const noters = columns.flatMap((column, index): Noter[] => {
    const note = noterOf(column, index, { marks, orders, problems })
    return note ? [{ index, note }] : []
  })
  if (noters.length > 0) await noteCells(pages, noters)
  const decimal = given.decimal ?? marks.decide(delimiter, problems)
  const ordered = columns.map((column) => {
    const dates = orders.get(column)
    return dates ? { ...column, dates: given.dates ?? dates.decide(problems) } : column
  })
  if (Object.keys(problems).length > 0) throw refuseFile(problems)
  const decided = [...(given.decimal ? [] : [marks]), ...(given.dates ? [] : orders.values())]
  return { decimal, notes: decided.flatMap(({ note }) => note ?? []), columns: ordered }
}

/** Function that records the notation of a cell. */
type Note = (row: number, text: string) => void

interface Noter {
  readonly index: number
  readonly note: Note
}

/** Records all cells below the header, except empty ones. */
async function noteCells(pages: AsyncIterable<readonly RawRow[]>, noters: readonly Noter[]): Promise<void> {
  let skipped = 1
  for await (const page of pages) {
    for (const { row, cells } of page.slice(skipped))
      for (const { index, note } of noters) {
        const text = cells[index]?.trim() ?? ''
        if (text !== '') note(row, text)
      }
    skipped = 0
  }
}

interface Noting {
  readonly marks: NumberMarks
  readonly orders: Map<FileColumn, DateOrders>
  readonly problems: JsonObject
}

/** Function that records a cell's decimal mark, date order or problem; undefined for other columns. */
function noterOf(column: FileColumn, index: number, { marks, orders, problems }: Noting): Note | undefined {
  const { header, attribute } = column
  if (header === '')
    return (row) => {
      problems[`column ${index + 1}`] ??= `Has no name, and a cell in row ${row}`
    }
  switch (attribute?.kind) {
    case 'money':
    case 'number':
    case 'integer': {
      const { kind } = attribute
      return (row, text) => marks.add(kind, { header, row, text })
    }
    case 'date':
    case 'datetime': {
      const seen = new DateOrders()
      orders.set(column, seen)
      return (row, text) => seen.add({ header, row, text })
    }
    default:
      return undefined
  }
}
