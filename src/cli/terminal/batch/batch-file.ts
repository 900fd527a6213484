import { createHash } from 'node:crypto'
import type { BatchKind } from '../../../schema/batch-kind.js'
import type { Registry } from '../../../schema/registry.js'
import { originalHeader } from '../../../schema/safe-csv.js'
import { BROKEN } from '../input/decode.js'
import { type Dialect, dialectOf, type GivenDialect } from './csv-dialect.js'
import {
  attributesOfKind,
  type FileColumn,
  fileColumnsOf,
  type Implied,
  impliedBy,
  type KeyColumn,
  keyAttributeOf,
  keyColumnOf,
} from './file-columns.js'
import type { InputFile } from './input-file.js'
import { type LineDates, lineDatesOf } from './line-dates.js'
import type { MoneyStyle } from './money-cell.js'
import { FirstRows } from './occurrences.js'
import { type RawRow, rawRows } from './raw-rows.js'
import { type BatchRow, cellReader, readLine } from './read-row.js'
import { refuseFile } from './refusal.js'
import type { Renaming } from './renaming.js'
import { type GivenNotation, surveyOf } from './survey-file.js'

/** A file whose dialect and columns are known. */
export interface BatchFile {
  readonly input: InputFile
  readonly dialect: Dialect
  /** Names in the header of a CSV file; empty for NDJSON. */
  readonly header: readonly string[]
  readonly columns: readonly FileColumn[]
  readonly renaming: Renaming
  /** Attributes that have no column, but whose values follow from other columns. */
  readonly implied: readonly Implied[]
  /** Notation of amounts. */
  readonly money: MoneyStyle
  /** Sentences about the detected notation of numbers and dates, printed with the plan. */
  readonly notes: readonly string[]
  /** Function that reads the dates in a line of NDJSON. */
  readonly lineDates: LineDates
  /** Column that identifies rows; undefined if their content identifies them. */
  readonly key: KeyColumn | undefined
  /** Whether rows that are equal to an earlier one are left out. */
  readonly skipsDuplicates: boolean
  /** Whether an empty cell clears its attribute. */
  readonly clears: boolean
}

export interface Reading {
  readonly registry: Registry
  readonly kind: BatchKind
  readonly given: GivenDialect & GivenNotation
  readonly renaming: Renaming
  /** Column that identifies rows, as named by the operator. */
  readonly key: string | undefined
  readonly skipsDuplicates: boolean
  readonly clears: boolean
}

/**
 * Detects format, encoding, columns and notation of a file. Throws a `Refusal` that names every unknown column, and
 * every column that allows two readings.
 */
export async function openBatchFile(input: InputFile, reading: Reading): Promise<BatchFile> {
  const { registry, kind, given, renaming, key: named, skipsDuplicates, clears } = reading
  const isSignless = kind.isPaidOut === true
  const dialect = await dialectOf(input, given)
  if (dialect.problem !== undefined) throw refuseFile({ 'row 1': dialect.problem })
  const attributes = attributesOfKind(registry, kind)
  if (dialect.format === 'ndjson')
    return {
      input,
      dialect,
      header: [],
      columns: [],
      renaming,
      implied: [],
      money: { decimal: '.', isSignless },
      notes: [],
      lineDates: await lineDatesOf(rawRows(input.read(), dialect), {
        registry,
        resource: kind.resource,
        renaming,
        given,
      }),
      key: named === undefined ? undefined : keyAttributeOf(named, attributes),
      skipsDuplicates,
      clears,
    }
  const [header] = await firstOf(rawRows(input.read(), dialect))
  if (!header) throw refuseFile({ 'row 1': 'There is no header row' })
  refuseBroken(header, [])
  const names = dialect.isExact ? originalHeader(header.cells) : header.cells
  const known = fileColumnsOf(names, attributes, renaming)
  const surveyed = { columns: known, given, delimiter: dialect.delimiter }
  const { columns, decimal, notes } = await surveyOf(rawRows(input.read(), dialect), surveyed)
  return {
    input,
    dialect,
    header: names,
    columns,
    renaming,
    implied: impliedBy(columns, attributes),
    money: { decimal, isSignless },
    notes,
    lineDates: () => undefined,
    key: named === undefined ? undefined : keyColumnOf(named, columns),
    skipsDuplicates,
    clears,
  }
}

/** The rows below the header, in groups. Every call reads the file again. */
export async function* rowsOf(
  file: BatchFile,
  digest = createHash('sha256'),
): AsyncIterable<readonly BatchRow[]> {
  const { input, dialect, header, columns, renaming, implied, money, lineDates, key, clears } = file
  const isCsv = dialect.format === 'csv'
  const readCells = cellReader(columns, { implied, money, key, isExact: dialect.isExact, clears })
  const seen = file.skipsDuplicates ? new FirstRows() : undefined
  let skipped = isCsv ? 1 : 0
  for await (const page of rawRows(digested(input.read(), digest), dialect)) {
    const rows = page.slice(skipped).map((raw) => {
      refuseBroken(raw, header)
      return isCsv ? readCells(raw) : readLine(raw, renaming, { key, dates: lineDates })
    })
    yield seen ? rows.filter(({ raw, body }) => seen.before(body, raw.row) === undefined) : rows
    skipped = 0
  }
}

async function* digested(chunks: AsyncIterable<Uint8Array>, digest: ReturnType<typeof createHash>) {
  for await (const chunk of chunks) {
    digest.update(chunk)
    yield chunk
  }
}

async function firstOf<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  for await (const page of pages) return page
  return []
}

/** Refuses a row with characters that could not be decoded: they would corrupt the stored names and addresses. */
function refuseBroken({ row, cells }: RawRow, header: readonly string[]): void {
  const index = cells.findIndex((cell) => cell.includes(BROKEN))
  if (index < 0) return
  const column = header[index]?.trim()
  throw refuseFile({
    [`row ${row}${column ? `, ${column}` : ''}`]: 'Not in UTF-8; it may be in --encoding latin1',
  })
}
