import { createHash } from 'node:crypto'
import { parseMoney } from '../../../schema/money.js'
import { isObject } from '../input/body.js'
import { type BatchFile, rowsOf } from './batch-file.js'

/** What a file amounts to, found by reading all of it before anything is sent. */
export interface BatchPlan {
  readonly rows: number
  /** Minor units of all rows that name an amount. */
  readonly total: number
  /** Rows that name one. */
  readonly amounts: number
  /** Rows that cannot be read, and why the first of them cannot. */
  readonly unreadable: number
  readonly problems: readonly string[]
  /** A digest of the file's bytes. */
  readonly content: string
}

const SHOWN = 5

/** Reads the whole file, keeping nothing of it. Throws a `Refusal` for what makes it unreadable as a whole. */
export async function planOf(file: BatchFile): Promise<BatchPlan> {
  const digest = createHash('sha256')
  const problems: string[] = []
  let [rows, total, amounts, unreadable] = [0, 0, 0, 0]
  for await (const { raw, body, error } of rowsOf(file, digest)) {
    rows++
    if (error !== undefined && ++unreadable <= SHOWN) problems.push(`row ${raw.row}, ${error}`)
    const minor = amountOf(body)
    if (minor === undefined) continue
    amounts++
    total += minor
  }
  return { rows, total, amounts, unreadable, problems, content: digest.digest('base64url') }
}

function amountOf(body: unknown): number | undefined {
  const amount = isObject(body) ? body.amount : undefined
  return typeof amount === 'number' || typeof amount === 'string' ? parseMoney(amount) : undefined
}
