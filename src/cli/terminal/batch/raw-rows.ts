import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { originalCell } from '../output/safe-csv.js'
import { decoded } from './decode.js'
import type { Dialect } from './dialect.js'
import { refuseFile } from './refusal.js'

/** A row as it is in its file; with NDJSON, the line is its only cell. */
export interface RawRow {
  /** Counted as spreadsheets do: the header is row 1. With NDJSON, the number of the line. */
  readonly row: number
  readonly cells: readonly string[]
}

/** The most characters of one row. */
const LONGEST_ROW = 1_000_000

/** The rows of a file, without empty ones. Throws a `Refusal` for a quote that is never closed, or a row that is too long. */
export function rawRows(chunks: AsyncIterable<Uint8Array>, dialect: Dialect): AsyncIterable<RawRow> {
  const text = decoded(chunks, dialect.encoding)
  return dialect.format === 'ndjson' ? lines(text) : records(text, dialect)
}

async function* records(text: AsyncIterable<string>, { delimiter, isSafe }: Dialect): AsyncIterable<RawRow> {
  const { parse } = await import('csv-parse')
  const parser = parse({
    delimiter,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: LONGEST_ROW,
  })
  let row = 0
  const ending = pipeline(Readable.from(text), parser).then(
    () => undefined,
    (error: unknown) => error,
  )
  try {
    for await (const cells of parser) {
      row++
      if (isCells(cells) && cells.some((cell) => cell !== ''))
        yield { row, cells: isSafe ? cells.map(originalCell) : cells }
    }
  } catch (error) {
    throw explained(error, row + 1)
  } finally {
    parser.destroy()
    await ending
  }
}

async function* lines(text: AsyncIterable<string>): AsyncIterable<RawRow> {
  let row = 0
  let rest = ''
  for await (const part of text) {
    const [first = '', ...more] = part.split('\n')
    rest += first
    for (const next of more) {
      row++
      if (rest.trim() !== '') yield { row, cells: [rest.trim()] }
      rest = next
    }
    if (rest.length > LONGEST_ROW) throw refuseFile({ [`row ${row + 1}`]: 'Longer than a row can be' })
  }
  if (rest.trim() !== '') yield { row: row + 1, cells: [rest.trim()] }
}

function isCells(value: unknown): value is string[] {
  return Array.isArray(value)
}

/** The refusal for an error after which the parser cannot go on. */
function explained(error: unknown, row: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'CSV_QUOTE_NOT_CLOSED')
    return refuseFile({ [`row ${row}`]: 'A quote is opened and never closed' })
  if (code === 'CSV_MAX_RECORD_SIZE')
    return refuseFile({ [`row ${row}`]: 'Longer than a row can be: a quote may not be closed' })
  return error
}
