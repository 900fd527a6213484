import type { Work } from '../../engine/core/write/work.js'

/** A row that breaks a rule of money, and how, in words. */
export interface Finding {
  readonly check: string
  readonly id: string
  readonly problem: string
}

/** What a page of rows came to. */
export interface Examined {
  /** The id of the last row that was looked at; nothing when there was none left. */
  readonly last: string | undefined
  readonly count: number
  readonly findings: readonly Finding[]
}

/**
 * One pass over the rows of a table in the order of their ids, page by page, so that a million of them need no memory and
 * nobody waits. Each page is one consistent read.
 */
export interface Pass {
  /** What is looked at, in words. */
  readonly of: string
  examine(work: Work, after: string): Promise<Examined>
}

/** So many rows are looked at together. */
export const PAGE = 250

export function findingsOf(check: string, id: string, problems: readonly string[]): Finding[] {
  return problems.map((problem) => ({ check, id, problem }))
}
