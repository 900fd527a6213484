import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { originalCell } from '../../../schema/safe-csv.js'
import { decoded } from '../input/decode.js'
import type { Dialect } from './csv-dialect.js'
import { plainRecords } from './plain-records.js'
import { refuseFile } from './refusal.js'

/** A row as it is in its file; with NDJSON, the line is the only cell. */
export interface RawRow {
  /** Number as in spreadsheets: the header is row 1. With NDJSON, the number of the line. */
  readonly row: number
  readonly cells: readonly string[]
}

/** Rows as they are in their file, including empty ones. */
type Records = readonly (readonly string[])[]

/** Limit of characters in one row. */
const LONGEST_ROW = 1_000_000
/** Number of rows that are yielded together. Yielding each row by itself would take as long as reading the row. */
const PAGE_SIZE = 500

/**
 * Rows of a file in groups, without blank rows. Throws a `Refusal` for a quote that is never closed, or a row that is
 * too long.
 */
export async function* rawRows(
  chunks: AsyncIterable<Uint8Array>,
  dialect: Dialect,
): AsyncIterable<readonly RawRow[]> {
  const { format, isSafe, separatorLine } = dialect
  const text = without(separatorLine, decoded(chunks, dialect.encoding))
  let before = 0
  for await (const records of format === 'ndjson' ? lines(text) : csvRecords(text, dialect)) {
    const rows = records
      .map((cells, index) => ({ row: before + index + 1, cells: isSafe ? cells.map(originalCell) : cells }))
      .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
    before += records.length
    if (rows.length > 0) yield rows
  }
}

/** A text without its first line, which is `line`. */
async function* without(line: string, text: AsyncIterable<string>): AsyncIterable<string> {
  let left = line.length
  for await (const part of text) {
    const skipped = Math.min(left, part.length)
    left -= skipped
    yield part.slice(skipped)
  }
}

/**
 * Splits records up to the first quote. The slower csv-parse, which reads character by character, reads the
 * rest.
 */
async function* csvRecords(text: AsyncIterable<string>, { delimiter }: Dialect): AsyncIterable<Records> {
  let row = 0
  for await (const found of plainRecords(text, delimiter)) {
    if (found.quoted) return yield* quotedRecords(found.quoted, delimiter, { row, lineEnd: found.lineEnd })
    const { records, rest } = found
    const tooLong = [...records, [rest]].findIndex((cells) => lengthOf(cells) > LONGEST_ROW)
    if (tooLong >= 0) throw refuseFile({ [`row ${row + tooLong + 1}`]: 'Longer than a row can be' })
    row += records.length
    yield records
  }
}

/** Number of characters in a row. */
export function lengthOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.length, 0)
}

interface Begun {
  /** Number of earlier rows. */
  readonly row: number
  /** End of a row; undefined if none has ended. */
  readonly lineEnd: string | undefined
}

async function* quotedRecords(
  text: AsyncIterable<string>,
  delimiter: string,
  { row, lineEnd }: Begun,
): AsyncIterable<Records> {
  const { parse } = await import('csv-parse')
  const parser = parse({
    delimiter,
    ...(lineEnd !== undefined && { record_delimiter: lineEnd }),
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
  })
  const ending = pipeline(Readable.from(text), parser).then(
    () => undefined,
    (error: unknown) => error,
  )
  let page: string[][] = []
  try {
    for await (const cells of parser) {
      page.push(isCells(cells) ? cells : [])
      if (page.length < PAGE_SIZE) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  } catch (error) {
    throw explained(error, row)
  } finally {
    parser.destroy()
    await ending
  }
}

async function* lines(text: AsyncIterable<string>): AsyncIterable<Records> {
  let row = 0
  let rest = ''
  for await (const part of text) {
    const found = (rest + part).split('\n')
    rest = found.pop() ?? ''
    if (rest.length > LONGEST_ROW)
      throw refuseFile({ [`row ${row + found.length + 1}`]: 'Longer than a row can be' })
    row += found.length
    yield found.map((line) => [line.trim()])
  }
  yield [[rest.trim()]]
}

function isCells(value: unknown): value is string[] {
  return Array.isArray(value)
}

/** The refusal for an error of the parser, with the number of the row; other errors are returned as they are. */
function explained(error: unknown, before: number): unknown {
  if (!(error instanceof Error && 'code' in error && 'records' in error)) return error
  const { code, records } = error
  const row = before + Number(records) + 1
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return refuseFile({ [`row ${row}`]: 'A quote is opened and never closed' })
  if (code === 'CSV_MAX_RECORD_SIZE')
    return refuseFile({ [`row ${row}`]: 'Longer than a row can be: a quote may not be closed' })
  return error
}
