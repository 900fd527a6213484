import { createHash } from 'node:crypto'
import type { FlagKind } from '../../../schema/flag-description.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { jsonProblem } from '../../../schema/json-problem.js'
import { UsageError } from '../failure/failure.js'
import { has, isObject, put, valueAt } from '../input/body.js'
import { type DateOrder, readOrderedDate } from '../input/date-order.js'
import { readJsonText, readText } from '../input/typed-values.js'
import type { FileColumn, Implied, KeyColumn } from './file-columns.js'
import type { LineDates } from './line-dates.js'
import { type MoneyStyle, readMoneyCell, readNumberCell } from './money-cell.js'
import { lengthOf, type RawRow } from './raw-rows.js'
import { type Renaming, renamed } from './renaming.js'

/** A row to be sent, with its content or the reason why it cannot be read. */
export interface BatchRow {
  readonly raw: RawRow
  readonly body: Json
  readonly error?: string
  /** Value of the column that identifies rows, if there is one; empty for an empty cell. */
  readonly key?: string
}

interface ReadingCells {
  readonly implied: readonly Implied[]
  readonly money: MoneyStyle
  readonly key: KeyColumn | undefined
  /** Whether texts keep the blanks at their ends. */
  readonly isExact?: boolean
  /** Whether an empty cell clears its attribute, instead of leaving the attribute as it is. */
  readonly clears?: boolean
}

/** A column whose cells are read. */
interface ReadColumn {
  readonly index: number
  readonly header: string
  readonly kind: FlagKind
  readonly path: readonly string[]
  readonly dates: DateOrder
}

/** A problem of a row: index of the column, and text. */
type CellProblem = readonly [index: number, text: string]

/** Creates a reader of rows from the columns. An empty cell sets no attribute, unless `clears` is set. */
export function cellReader(
  columns: readonly FileColumn[],
  { implied, money, key: keyColumn, isExact, clears }: ReadingCells,
): (raw: RawRow) => BatchRow {
  const read = readInOrder(columns)
  const width = 1 + columns.findLastIndex(({ header }) => header !== '')
  const implications = implied.map(({ by, path, value }) => ({ by: by.split('.'), path, value }))
  return (raw) => {
    const { cells } = raw
    const problems = miscounted(cells, width)
    const body = readAttributes(cells, { read, money, isExact, clears }, problems)
    for (const { by, path, value } of implications) if (has(body, by)) put(body, path, value)
    const key = keyColumn && { key: textAt(cells, keyColumn.index) }
    // An unreadable row is identified by its cells.
    if (problems.length > 0) return sendable({ raw, body: [...cells], error: inWords(problems), ...key })
    return lengthOf(cells) > SURELY_SENT ? sendable({ raw, body, ...key }) : { raw, body, ...key }
  }
}

/**
 * Columns sorted by the names of their attributes, so that rows compare equal whatever the order of the file's columns.
 * If one column is free JSON, the order of the file is kept. Another column may then name an attribute inside the JSON,
 * and the later column overrides the earlier one.
 */
function readInOrder(columns: readonly FileColumn[]): readonly ReadColumn[] {
  const read = columns.flatMap(({ header, attribute, dates = 'mdy' }, index): ReadColumn[] =>
    attribute ? [{ index, header, dates, ...attribute }] : [],
  )
  const nameOf = ({ path }: ReadColumn) => path.join('\0')
  if (read.some(({ kind }) => kind === 'json')) return read
  return read.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

/** Reads the attributes of a row; adds problems to `problems`. */
function readAttributes(
  cells: readonly string[],
  {
    read,
    money,
    isExact,
    clears,
  }: Omit<ReadingCells, 'implied' | 'key'> & { readonly read: readonly ReadColumn[] },
  problems: CellProblem[],
): JsonObject {
  const body: JsonObject = {}
  for (const column of read) {
    const { index, header, path } = column
    const text = isExact && column.kind === 'text' ? (cells[index] ?? '') : textAt(cells, index)
    if (text === '') {
      if (clears) put(body, path, null)
      continue
    }
    try {
      put(body, path, cellValue(text, column, money))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      problems.push([index, `${header}: ${error.message}`])
    }
  }
  return body
}

function textAt(cells: readonly string[], index: number): string {
  return cells[index]?.trim() ?? ''
}

/** Length of a row that never exceeds the limit of the service, even if all its characters are escaped. */
const SURELY_SENT = 10_000

/**
 * A row in a form that the service accepts. For one invalid row, the service would refuse all rows of the request. So
 * an invalid row is sent as failed, and identified by a digest.
 */
function sendable(row: BatchRow): BatchRow {
  const problem = jsonProblem(row.body, { isKept: false })
  if (problem === undefined) return row
  const digest = createHash('sha256').update(JSON.stringify(row.body)).digest('hex')
  return { ...row, body: [digest], error: row.error ?? problem }
}

interface ReadingLines {
  readonly key: KeyColumn | undefined
  readonly dates: LineDates
}

/** Reads the attributes in a line of JSON. */
export function readLine(raw: RawRow, renaming: Renaming, { key, dates }: ReadingLines): BatchRow {
  const [line = ''] = raw.cells
  const unread = { raw, body: [line], ...(key && { key: '' }) }
  try {
    const body = attributesIn(line)
    const made = renamed(body, renaming)
    dates(made)
    return sendable({ raw, body: made, ...(key && { key: keyIn(key, body, made) }) })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return sendable({ ...unread, error: error.message })
  }
}

/** The object in a line. Throws a `UsageError` for other JSON. */
function attributesIn(line: string): JsonObject {
  const body = readJsonText(line, 'the line', { attribute: 'attrs' })
  if (isObject(body)) return body
  throw new UsageError('Expected an object')
}

/** Key of a line, from the attribute or from the original name that `--map` replaced. */
function keyIn({ name }: KeyColumn, line: JsonObject, made: JsonObject): string {
  const value = valueAt(made, name.split('.')) ?? line[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** Text of the problems, in the order of the columns. */
function inWords(problems: readonly CellProblem[]): string {
  return [...problems]
    .sort(([a], [b]) => a - b)
    .map(([, text]) => text)
    .join('; ')
}

function miscounted(cells: readonly string[], columns: number): CellProblem[] {
  if (cells.length === columns) return []
  const beyond = cells.slice(columns).some((cell) => cell.trim() !== '')
  if (cells.length > columns && !beyond) return []
  return [[-1, `Has ${cells.length} cells, and the header has ${columns}`]]
}

/**
 * Value of a cell. Words for dates, such as `today`, are refused: tomorrow, the same row would have other
 * content.
 */
function cellValue(text: string, { kind, dates }: ReadColumn, money: MoneyStyle): Json {
  if (text.includes('\0')) throw new UsageError('Must be valid string')
  switch (kind) {
    case 'money':
      return readMoneyCell(text, money)
    case 'number':
    case 'integer':
      return readNumberCell(text, kind, money.decimal)
    case 'date':
    case 'datetime':
      return readOrderedDate(text, kind, dates)
    case 'boolean':
      return readTruth(text)
    default:
      return readText(kind, text, 'the cell')
  }
}

function readTruth(text: string): boolean {
  if (/^(true|yes|y|1)$/i.test(text)) return true
  if (/^(false|no|n|0)$/i.test(text)) return false
  throw new UsageError(`Expected true or false, but received: ${text}`)
}
