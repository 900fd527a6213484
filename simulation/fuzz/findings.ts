import type { FuzzRequest } from './request.js'

export interface Finding {
  /** Number of the request, from 1; undefined if the finding is about all requests. */
  readonly number?: number
  readonly request?: FuzzRequest
  readonly problem: string
  /** Number of further findings of this kind. */
  more: number
}

/** Collects findings, one of each kind, and counts answers by status. */
export class Findings {
  private readonly found = new Map<string, Finding>()
  readonly statuses = new Map<number, number>()

  count(status: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1)
  }

  add(number: number, request: FuzzRequest, problem: string): void {
    this.keep({ number, request, problem, more: 0 })
  }

  /** Adds a finding about the books. */
  books(problem: string): void {
    this.keep({ problem: `books: ${problem}`, more: 0 })
  }

  get all(): readonly Finding[] {
    return [...this.found.values()]
  }

  private keep(finding: Finding): void {
    const kind = kindOf(finding.problem)
    const known = this.found.get(kind)
    if (known) known.more++
    else this.found.set(kind, finding)
  }
}

/** Kind of a problem: its text with ids and numbers replaced. */
function kindOf(problem: string): string {
  return problem
    .replace(/[a-z]+_[0-9A-Za-z]{20,}/g, 'id')
    .replace(/\d+/g, 'n')
    .slice(0, 400)
}
