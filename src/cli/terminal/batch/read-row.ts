import { createHash } from 'node:crypto'
import type { FlagKind } from '../../../schema/flags.js'
import type { Json, JsonObject } from '../../../schema/json.js'
import { jsonProblem } from '../../../schema/json-problem.js'
import { UsageError } from '../failure/failure.js'
import { has, isObject, put, valueAt } from '../input/body.js'
import { readJsonText, readText } from '../input/values.js'
import type { FileColumn, Implied, KeyColumn, Renaming } from './columns.js'
import { type MoneyStyle, readMoneyCell } from './money-cell.js'
import { lengthOf, type RawRow } from './raw-rows.js'

/** A row as it is sent: its content, or why it cannot be read. */
export interface BatchRow {
  readonly raw: RawRow
  readonly body: Json
  readonly error?: string
  /** What identifies it, where a column does; empty where its cell is. */
  readonly key?: string
}

interface ReadingCells {
  readonly implied: readonly Implied[]
  readonly money: MoneyStyle
  readonly key: KeyColumn | undefined
}

/** Reads the attributes in the cells of a row; an empty cell has none. */
export function readCells(
  raw: RawRow,
  columns: readonly FileColumn[],
  { implied, money, key: keyColumn }: ReadingCells,
): BatchRow {
  const body: JsonObject = {}
  const problems = miscounted(raw, columns)
  for (const [index, { header, attribute }] of columns.entries()) {
    const text = raw.cells[index]?.trim() ?? ''
    if (!attribute || text === '') continue
    try {
      put(body, attribute.path, cellValue(text, attribute.kind, money))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      problems.push(`${header}: ${error.message}`)
    }
  }
  for (const { path, value } of implied.filter(({ by }) => has(body, by.split('.')))) put(body, path, value)
  const key = keyColumn && { key: raw.cells[keyColumn.index]?.trim() ?? '' }
  // A row that cannot be read is identified by its cells.
  if (problems.length > 0) return sendable({ raw, body: [...raw.cells], error: problems.join('; '), ...key })
  return lengthOf(raw.cells) > SURELY_SENT ? sendable({ raw, body, ...key }) : { raw, body, ...key }
}

/** So many characters are never too many, however they are escaped. */
const SURELY_SENT = 10_000

/**
 * A row as the service takes it. What it never takes would have all rows of the request refused: such a row has failed by
 * itself, and is identified by a digest.
 */
function sendable(row: BatchRow): BatchRow {
  const problem = jsonProblem(row.body, { isKept: false })
  if (problem === undefined) return row
  const digest = createHash('sha256').update(JSON.stringify(row.body)).digest('hex')
  return { ...row, body: [digest], error: row.error ?? problem }
}

/** Reads the attributes in a line of JSON. */
export function readLine(raw: RawRow, renaming: Renaming, key?: KeyColumn): BatchRow {
  const [line = ''] = raw.cells
  const unread = { raw, body: [line], ...(key && { key: '' }) }
  try {
    const body = readJsonText(line, 'the line', { attribute: 'attrs' })
    if (!isObject(body)) return sendable({ ...unread, error: 'Expected an object' })
    const made = renamed(body, renaming)
    return sendable({ raw, body: made, ...(key && { key: keyIn(key, body, made) }) })
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return sendable({ ...unread, error: error.message })
  }
}

/** The key of a line, by the name of its attribute or the one that the line has for it. */
function keyIn({ name }: KeyColumn, line: JsonObject, made: JsonObject): string {
  const value = valueAt(made, name.split('.')) ?? line[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

function renamed(body: JsonObject, renaming: Renaming): JsonObject {
  if (renaming.size === 0) return body
  const made: JsonObject = {}
  for (const [name, value] of Object.entries(body)) {
    const path = renaming.get(name) ?? name
    if (path !== '') put(made, renaming.has(name) ? path.split('.') : [name], value)
  }
  return made
}

function miscounted({ cells }: RawRow, columns: readonly FileColumn[]): string[] {
  const beyond = cells.slice(columns.length).some((cell) => cell.trim() !== '')
  if (cells.length >= columns.length && !beyond) return []
  return [`Has ${cells.length} cells, and the header has ${columns.length}`]
}

/** Dates are taken as they are: a word such as `today` would make it another row tomorrow. */
function cellValue(text: string, kind: FlagKind, money: MoneyStyle): Json {
  if (text.includes('\0')) throw new UsageError('Must be valid string')
  if (kind === 'money') return readMoneyCell(text, money)
  return kind === 'boolean' ? readTruth(text) : readText(kind, text, 'the cell')
}

function readTruth(text: string): boolean {
  if (/^(true|yes|y|1)$/i.test(text)) return true
  if (/^(false|no|n|0)$/i.test(text)) return false
  throw new UsageError(`Expected true or false, but received: ${text}`)
}
