import { createHash } from 'node:crypto'
import type { JsonObject } from '../../../schema/json.js'
import { parseMoney } from '../../../schema/money.js'
import { Problem } from '../../../schema/problem.js'
import { readValue } from '../../../schema/read.js'
import { namesNoDestination } from '../destination.js'
import { isObject } from '../input/body.js'
import { type BatchFile, rowsOf } from './batch-file.js'
import { isBelowZero } from './money-cell.js'
import { Occurrences } from './occurrences.js'
import type { BatchRow } from './read-row.js'
import { refuseFile } from './refusal.js'

/** A row that cannot be read, with the reason. */
interface RowProblem {
  readonly row: number
  readonly error: string
}

/** Figures of a file, from reading all of it before a row is sent. */
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
  const occurrences = new Occurrences()
  const keys = new RowKeys(file.key?.name)
  const amountColumns = file.columns.map(({ attribute }) => attribute?.path.join('.') === 'amount')
  let [rows, total, amounts, unreadable, withoutDestination, repeated, belowZero] = [0, 0, 0, 0, 0, 0, 0]
  const note = ({ raw, body, error, key }: BatchRow) => {
    rows++
    if (key === undefined && occurrences.next(body) > 1) repeated++
    keys.add(raw.row, key)
    if (raw.cells.some((cell, index) => amountColumns[index] && isBelowZero(cell))) belowZero++
    if (error !== undefined && ++unreadable <= SHOWN) problems.push({ row: raw.row, error })
    if (error === undefined && isObject(body) && namesNoDestination(body)) withoutDestination++
    const minor = amountOf(body)
    if (minor === undefined) return
    amounts++
    total += minor
  }
  for await (const page of rowsOf(file, digest)) for (const row of page) note(row)
  keys.check()
  const content = digest.digest('base64url')
  return { rows, total, amounts, unreadable, repeated, belowZero, problems, withoutDestination, content }
}

/** Keys of rows, each of which must be unique. */
class RowKeys {
  private readonly seen = new Occurrences()
  private readonly problems: JsonObject = {}

  constructor(private readonly name: string | undefined) {}

  add(row: number, key: string | undefined): void {
    if (key === undefined) return
    const problem = keyProblem(key) ?? (this.seen.next(key) > 1 ? 'The same as in a row before' : undefined)
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
