import { createHash } from 'node:crypto'
import { parseMoney } from '../../../schema/money.js'
import { namesNoDestination } from '../destination.js'
import { isObject } from '../input/body.js'
import { type BatchFile, rowsOf } from './batch-file.js'
import { isBelowZero } from './money-cell.js'
import { Occurrences } from './occurrences.js'

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
  readonly problems: readonly string[]
  /** How many rows name nothing that says where their money goes. */
  readonly withoutDestination: number
  /** A digest of the file's bytes. */
  readonly content: string
}

const SHOWN = 5

/** Reads the whole file without keeping it in memory. Throws a `Refusal` if it cannot be read at all. */
export async function planOf(file: BatchFile): Promise<BatchPlan> {
  const digest = createHash('sha256')
  const problems: string[] = []
  const occurrences = new Occurrences()
  const amountColumns = file.columns.map(({ attribute }) => attribute?.path.join('.') === 'amount')
  let [rows, total, amounts, unreadable, withoutDestination, repeated, belowZero] = [0, 0, 0, 0, 0, 0, 0]
  for await (const { raw, body, error } of rowsOf(file, digest)) {
    rows++
    if (occurrences.next(body) > 1) repeated++
    if (raw.cells.some((cell, index) => amountColumns[index] && isBelowZero(cell))) belowZero++
    if (error !== undefined && ++unreadable <= SHOWN) problems.push(`row ${raw.row}, ${error}`)
    if (error === undefined && isObject(body) && namesNoDestination(body)) withoutDestination++
    const minor = amountOf(body)
    if (minor === undefined) continue
    amounts++
    total += minor
  }
  const content = digest.digest('base64url')
  return { rows, total, amounts, unreadable, repeated, belowZero, problems, withoutDestination, content }
}

function amountOf(body: unknown): number | undefined {
  const amount = isObject(body) ? body.amount : undefined
  return typeof amount === 'number' || typeof amount === 'string' ? parseMoney(amount) : undefined
}
