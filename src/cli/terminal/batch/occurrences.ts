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
    const digest = hash('sha256', JSON.stringify(orderedJson(body)), 'base64').slice(0, 16)
    const occurrence = (this.seen.get(digest) ?? 0) + 1
    this.seen.set(digest, occurrence)
    return occurrence
  }
}
