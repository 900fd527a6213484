import type { Clock } from '../../platform/clock.js'
import type { Circuit, GatewayOutcome } from '../contract.js'

/** Consecutive failures that open the circuit. */
const FAILURES = 5
/** Milliseconds for which it stays open: connections come back sooner than operators. */
const OPEN_FOR = { failing: 10_000, misconfigured: 30_000 }
/** Operations at once. */
const MAX_AT_ONCE = 2_000

/**
 * Keeps operations from a gateway that is not reached or refuses its credentials. For a while none is sent, then one;
 * if that succeeds, all are sent again. Limits the number under way.
 */
export class CircuitBreaker {
  private failures = 0
  private openUntil = 0
  private underWay = 0
  private problem: string | undefined
  private workedAt: number | undefined

  /** `clock` gives the time of the last success, for people. */
  constructor(
    private readonly stopwatch: Clock,
    private readonly clock: Clock,
  ) {}

  /** Whether it is open, and why; when an operation worked last. */
  state(): Circuit {
    return { problem: this.failures >= FAILURES ? this.problem : undefined, workedAt: this.workedAt }
  }

  /** Reason why no operation is sent now; undefined if one may be. */
  refusal(): string | undefined {
    if (this.underWay >= MAX_AT_ONCE) return `${this.underWay} operations are under way`
    if (this.stopwatch.now() >= this.openUntil) return undefined
    return 'It did not work just now, and is left alone for a while'
  }

  /** Runs an operation and learns from its outcome. */
  async watch(run: () => Promise<GatewayOutcome>): Promise<GatewayOutcome> {
    // While it is tried again after a pause, no other is sent.
    if (this.failures >= FAILURES) this.openUntil = this.stopwatch.now() + OPEN_FOR.failing
    this.underWay++
    try {
      const outcome = await run()
      if (outcome.result === 'misconfigured') this.open(OPEN_FOR.misconfigured, outcome.problem)
      else if (outcome.result === 'not_sent') this.failed(outcome.problem)
      else this.close()
      return outcome
    } catch (error) {
      this.failed(error instanceof Error ? error.message : String(error))
      throw error
    } finally {
      this.underWay--
    }
  }

  private failed(problem: string): void {
    this.failures++
    this.problem = problem
    if (this.failures >= FAILURES) this.open(OPEN_FOR.failing, problem)
  }

  private open(milliseconds: number, problem: string): void {
    this.problem = problem
    this.failures = Math.max(this.failures, FAILURES)
    this.openUntil = this.stopwatch.now() + milliseconds
  }

  private close(): void {
    this.failures = 0
    this.openUntil = 0
    this.problem = undefined
    this.workedAt = this.clock.now()
  }
}
