import { hash } from 'node:crypto'
import type { Json } from '../../../schema/json.js'
import { orderedJson } from '../../../schema/ordered-json.js'

/**
 * Counts rows of the same content, in whatever order their attributes are: two equal lines are two payments. Needs about 60
 * bytes a row, and stores nothing of its content.
 */
export class Occurrences {
  private readonly seen = new Map<string, number>()

  /** Which one this is among the rows of its content, from 1. */
  next(body: Json): number {
    const digest = hash('sha256', JSON.stringify(orderedJson(body)), 'base64').slice(0, 16)
    const occurrence = (this.seen.get(digest) ?? 0) + 1
    this.seen.set(digest, occurrence)
    return occurrence
  }
}
