import { hash } from 'node:crypto'
import type { Json } from '../../../schema/json.js'
import { orderedJson } from '../../../schema/ordered-json.js'

/**
 * Counts rows of equal content, in any order of attributes: two equal lines are two payments. Needs about 60 bytes a
 * row for a digest; the content is not stored.
 */
export class Occurrences {
  private readonly seen = new Map<string, number>()

  /** Number of this row among the rows of its content, from 1. */
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

  /** Number of the earlier row with this content; undefined for the first of its content, which is noted. */
  before(body: Json, row: number): number | undefined {
    const digest = digestOf(body)
    const first = this.rows.get(digest)
    if (first === undefined) this.rows.set(digest, row)
    return first
  }
}

/** Part of a digest; equal for equal content only. */
function digestOf(body: Json): string {
  return hash('sha256', JSON.stringify(orderedJson(body)), 'base64').slice(0, 16)
}
