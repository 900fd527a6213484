import { hash } from 'node:crypto'
import type { Json } from '../../../schema/json.js'
import { orderedJson } from '../../../schema/ordered-json.js'

/**
 * Counts rows of equal content, in any order of attributes, because two equal lines are two payments.
 * Stores only a digest of each row, in about 60 bytes.
 */
export class Occurrences {
  private readonly seen = new Map<string, number>()

  /** Number of this row among the rows with the same content, from 1. */
  next(body: Json): number {
    const digest = digestOf(body)
    const occurrence = (this.seen.get(digest) ?? 0) + 1
    this.seen.set(digest, occurrence)
    return occurrence
  }
}

/** Finds the first of equal rows, in any order of attributes. */
export class FirstRows {
  private readonly rows = new Map<string, number>()

  /** Number of the first row with this content. Undefined if this row is the first; then it is recorded. */
  before(body: Json, row: number): number | undefined {
    const digest = digestOf(body)
    const first = this.rows.get(digest)
    if (first === undefined) this.rows.set(digest, row)
    return first
  }
}

/** Shortened digest, which is equal only for equal content. */
function digestOf(body: Json): string {
  return hash('sha256', JSON.stringify(orderedJson(body)), 'base64').slice(0, 16)
}
