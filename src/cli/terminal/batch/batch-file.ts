import { createHash } from 'node:crypto'
import type { BatchKind } from '../../../resources/batch-kinds.js'
import type { Registry } from '../../../schema/registry.js'
import { type Dialect, dialectOf, type GivenDialect } from './csv-dialect.js'
import { BROKEN } from './decode.js'
import {
  attributesOfKind,
  type FileColumn,
  fileColumnsOf,
  type Implied,
  impliedBy,
  type KeyColumn,
  keyAttributeOf,
  keyColumnOf,
  type Renaming,
} from './file-columns.js'
import type { InputFile } from './input-file.js'
import type { MoneyStyle } from './money-cell.js'
import { type RawRow, rawRows } from './raw-rows.js'
import { type BatchRow, cellReader, readLine } from './read-row.js'
import { refuseFile } from './refusal.js'

/** A file whose dialect and columns are known. */
export interface BatchFile {
  readonly input: InputFile
  readonly dialect: Dialect
  /** Cells of the header of a CSV file; empty for NDJSON. */
  readonly header: readonly string[]
  readonly columns: readonly FileColumn[]
  readonly renaming: Renaming
  /** Attributes that the columns imply for every row. */
  readonly implied: readonly Implied[]
  /** Notation of amounts. */
  readonly money: MoneyStyle
  /** Column that identifies rows; undefined if the whole content does. */
  readonly key: KeyColumn | undefined
}

export interface Reading {
  readonly registry: Registry
  readonly kind: BatchKind
  readonly given: GivenDialect
  readonly renaming: Renaming
  readonly money: MoneyStyle
  /** Column that identifies rows, as named by the operator. */
  readonly key: string | undefined
}

/** Detects format, encoding and columns of a file. Throws a `Refusal` that names every unknown column. */
export async function openBatchFile(input: InputFile, reading: Reading): Promise<BatchFile> {
  const { registry, kind, given, renaming, money, key: named } = reading
  const dialect = await dialectOf(input, given)
  if (dialect.isArchive)
    throw refuseFile({
      'row 1': 'Is no text but a spreadsheet or an archive: save it as CSV, and name that file',
    })
  if (dialect.format === 'ndjson')
    return {
      input,
      dialect,
      header: [],
      columns: [],
      renaming,
      implied: [],
      money,
      key: named === undefined ? undefined : keyAttributeOf(named, attributesOfKind(registry, kind)),
    }
  const [header] = await firstOf(rawRows(input.read(), dialect))
  if (!header) throw refuseFile({ 'row 1': 'There is no header row' })
  refuseBroken(header, [])
  const attributes = attributesOfKind(registry, kind)
  const columns = fileColumnsOf(header.cells, attributes, renaming)
  const implied = impliedBy(columns, attributes)
  const key = named === undefined ? undefined : keyColumnOf(named, columns)
  return { input, dialect, header: header.cells, columns, renaming, implied, money, key }
}

/** The rows below the header, in pages. Every call reads the file again. */
export async function* rowsOf(
  { input, dialect, header, columns, renaming, implied, money, key }: BatchFile,
  digest = createHash('sha256'),
): AsyncIterable<readonly BatchRow[]> {
  const isCsv = dialect.format === 'csv'
  const readCells = cellReader(columns, { implied, money, key })
  let skipped = isCsv ? 1 : 0
  for await (const page of rawRows(digested(input.read(), digest), dialect)) {
    yield page.slice(skipped).map((raw) => {
      refuseBroken(raw, header)
      return isCsv ? readCells(raw) : readLine(raw, renaming, key)
    })
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

/** Refuses characters that were lost in decoding: they would corrupt names and addresses for good. */
function refuseBroken({ row, cells }: RawRow, header: readonly string[]): void {
  const index = cells.findIndex((cell) => cell.includes(BROKEN))
  if (index < 0) return
  const column = header[index]?.trim()
  throw refuseFile({
    [`row ${row}${column ? `, ${column}` : ''}`]: 'Not in UTF-8; it may be in --encoding latin1',
  })
}
