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

/** Why a row cannot be read. */
interface RowProblem {
  readonly row: number
  readonly error: string
}

/** What a file contains, found by reading all of it before anything is sent. */
export interface BatchPlan {
  readonly rows: number
  /** The sum of the rows' amounts, in minor units. */
  readonly total: number
  /** How many rows have an amount. */
  readonly amounts: number
  /** How many rows cannot be read. */
  readonly unreadable: number
  /** How many rows are the same as one before them. */
  readonly repeated: number
  /** How many amounts are written as less than zero. */
  readonly belowZero: number
  /** Why the first of those cannot be read. */
  readonly problems: readonly RowProblem[]
  /** How many rows name nothing that says where their money goes. */
  readonly withoutDestination: number
  /** A digest of the file's bytes. */
  readonly content: string
}

const SHOWN = 5

/** Reads the whole file without keeping it in memory. Throws a `Refusal` if it cannot be read at all, or keys identify no rows. */
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

/** The keys of rows, each of which has to stand once. */
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

  /** Throws a `Refusal` that names the first rows that no key identifies. */
  check(): void {
    if (Object.keys(this.problems).length > 0) throw refuseFile(this.problems)
  }
}

/** Why a key cannot be kept. */
function keyProblem(key: string): string | undefined {
  if (key === '') return 'Required'
  const read = readValue({ kind: 'text' }, key)
  return read instanceof Problem ? read.message : undefined
}

function amountOf(body: unknown): number | undefined {
  const amount = isObject(body) ? body.amount : undefined
  return typeof amount === 'number' || typeof amount === 'string' ? parseMoney(amount) : undefined
}
