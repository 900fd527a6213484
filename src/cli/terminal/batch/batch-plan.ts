import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../schema/json.js'
import { parseMoney } from '../../../schema/money.js'
import { Problem } from '../../../schema/problem.js'
import { readValue } from '../../../schema/read.js'
import { isObject } from '../input/body.js'
import { namesNoDestination } from '../paging/destination.js'
import { type BatchFile, rowsOf } from './batch-file.js'
import { isBelowZero } from './money-cell.js'
import { FirstRows } from './occurrences.js'
import type { BatchRow } from './read-row.js'
import { refuseFile } from './refusal.js'

/** A row that cannot be read, with the reason. */
interface RowProblem {
  readonly row: number
  readonly error: string
}

/** A row that is equal to an earlier one. */
interface DuplicateRow {
  readonly row: number
  /** Number of the first row with this content. */
  readonly first: number
}

/** Totals and problems of a whole file, found before any row is sent. */
export interface BatchPlan {
  readonly rows: number
  /** Sum of the rows' amounts, in minor units. */
  readonly total: number
  /** Number of rows with an amount. */
  readonly amounts: number
  /** Number of rows that cannot be read. */
  readonly unreadable: number
  /** Number of rows that are equal to an earlier one. */
  readonly repeated: number
  /** The first rows that are equal to an earlier one. */
  readonly duplicates: readonly DuplicateRow[]
  /** Number of amounts that are written as less than zero. */
  readonly belowZero: number
  /** Reasons for the first unreadable rows. */
  readonly problems: readonly RowProblem[]
  /** Number of rows without an attribute that determines the paid account. */
  readonly withoutDestination: number
  /** Digest of the file's bytes. */
  readonly content: string
}

const SHOWN = 5

/**
 * Reads the whole file as a stream. Throws a `Refusal` if the file cannot be read at all, or if keys do not identify
 * rows.
 */
export async function planOf(file: BatchFile): Promise<BatchPlan> {
  const digest = createHash('sha256')
  const problems: RowProblem[] = []
  const equal = new EqualRows()
  const keys = new RowKeys(file.key?.name)
  const amountColumns = file.columns.map(({ attribute }) => attribute?.path.join('.') === 'amount')
  let [rows, total, amounts, unreadable, withoutDestination, belowZero] = [0, 0, 0, 0, 0, 0]
  const note = ({ raw, body, error, key }: BatchRow) => {
    rows++
    keys.add(raw.row, key)
    if (raw.cells.some((cell, index) => amountColumns[index] && isBelowZero(cell))) belowZero++
    if (error !== undefined && ++unreadable <= SHOWN) problems.push({ row: raw.row, error })
    if (error === undefined && isObject(body) && namesNoDestination(body)) withoutDestination++
    const minor = amountOf(body)
    if (minor === undefined) return
    amounts++
    total += minor
  }
  const { skipsDuplicates } = file
  // Rows with a key are identified by the key, not by their content.
  const isCounted = (row: BatchRow) => row.key === undefined || skipsDuplicates
  for await (const page of rowsOf({ ...file, skipsDuplicates: false }, digest))
    for (const row of page) {
      const isEqual = isCounted(row) && equal.note(row)
      if (!(isEqual && skipsDuplicates)) note(row)
    }
  keys.check()
  const content = digest.digest('base64url')
  return {
    rows,
    total,
    amounts,
    unreadable,
    repeated: equal.count,
    duplicates: equal.first,
    belowZero,
    problems,
    withoutDestination,
    content,
  }
}

/** Rows that are equal to an earlier one. */
class EqualRows {
  private readonly seen = new FirstRows()
  /** The first rows that are equal to an earlier one. */
  readonly first: DuplicateRow[] = []
  count = 0

  /** Records a row. Returns whether the row is equal to an earlier row. */
  note({ raw: { row }, body }: BatchRow): boolean {
    const first = this.seen.before(body, row)
    if (first === undefined) return false
    if (++this.count <= SHOWN) this.first.push({ row, first })
    return true
  }
}

/** Keys of rows, each of which must be unique. */
class RowKeys {
  private readonly seen = new FirstRows()
  private readonly problems: JsonObject = {}

  constructor(private readonly name: string | undefined) {}

  add(row: number, key: string | undefined): void {
    if (key === undefined) return
    const first = this.seen.before(key, row)
    const problem = keyProblem(key) ?? (first === undefined ? undefined : `The same as in row ${first}`)
    if (problem === undefined || Object.keys(this.problems).length >= SHOWN) return
    this.problems[`row ${row}, ${this.name}`] = `${problem}, and --key identifies rows by it`
  }

  /** Throws a `Refusal` that names the first rows without a valid and unique key. */
  check(): void {
    if (Object.keys(this.problems).length > 0) throw refuseFile(this.problems)
  }
}

/** Reason why a key cannot be stored; undefined if it can. */
function keyProblem(key: string): string | undefined {
  if (key === '') return 'Required'
  const read = readValue({ kind: 'text' }, key)
  return read instanceof Problem ? read.message : undefined
}

function amountOf(body: unknown): number | undefined {
  const amount = isObject(body) ? body.amount : undefined
  return typeof amount === 'number' || typeof amount === 'string' ? parseMoney(amount) : undefined
}
