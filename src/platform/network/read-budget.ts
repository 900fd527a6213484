import type { RailClient } from './rail-client.js'

/** Milliseconds for which one run of a job may read from a gateway. */
const BUDGET_MILLISECONDS = 30_000
/** Maximum bytes of answers in one run: 32 MiB, which may all be in memory at once. */
const BUDGET_BYTES = 32 * 1024 * 1024
/**
 * Maximum number of times that the period is doubled, up to 8 minutes, after runs that were cut off without
 * progress.
 */
const MAX_DOUBLINGS = 4

/** Limit on time and bytes for a job's reads from one gateway. */
export class ReadBudget {
  /** Aborted when the time is over, or the process stops. */
  readonly signal: AbortSignal
  private left = BUDGET_BYTES

  constructor(
    private readonly milliseconds: number,
    stopping: AbortSignal | undefined,
  ) {
    const deadline = AbortSignal.timeout(milliseconds)
    this.signal = stopping ? AbortSignal.any([deadline, stopping]) : deadline
  }

  /** Reason why no more may be read; undefined until the budget is spent. */
  get end(): string | undefined {
    if (this.signal.aborted) return `It does not come to an end within ${this.milliseconds / 1_000} s`
    return this.left <= 0 ? `It does not come to an end within ${BUDGET_BYTES} bytes` : undefined
  }

  /**
   * Client whose requests are aborted when the budget is spent, and whose answers count toward the budget.
   */
  client(http: RailClient): RailClient {
    return {
      send: async (request) => {
        if (this.end !== undefined) return { kind: 'not_sent', problem: this.end }
        const answer = await http.send({ ...request, stopping: this.signal })
        if (answer.kind === 'answered') this.left -= answer.bytes
        return this.signal.aborted && answer.kind === 'unanswered'
          ? { kind: 'unanswered', problem: this.end ?? answer.problem }
          : answer
      },
      close: () => http.close(),
    }
  }
}

/**
 * Budgets of one job at one gateway, a new one for each run. An honest list may need more time for its first
 * entries. So after a run that was cut off without progress, the next run has twice the time.
 */
export class ReadBudgets {
  private doublings = 0

  begin(stopping?: AbortSignal): ReadBudget {
    return new ReadBudget(BUDGET_MILLISECONDS * 2 ** this.doublings, stopping)
  }

  /** Notes the end of a run. `isFruitless`: it was cut off without progress. */
  ended(isFruitless: boolean): void {
    this.doublings = isFruitless ? Math.min(this.doublings + 1, MAX_DOUBLINGS) : 0
  }
}
