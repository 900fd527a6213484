import type { Clock } from '../../platform/clock.js'
import type {
  CircuitCause,
  CircuitScope,
  Circuits,
  GatewayOperation,
  GatewayOutcome,
  MisconfiguredOutcome,
  NotSentOutcome,
  OverCause,
} from '../contract.js'
import { shortProblem } from '../short-problem.js'
import { isUnanswered, refusedScope } from '../unknown-outcome.js'

/** Consecutive failures that open a circuit. */
const FAILURES = 5
/** Milliseconds for which a circuit stays open: connections come back sooner than operators. */
const OPEN_FOR = { failing: 10_000, refused: 30_000 }
/** Operations at once. */
const MAX_AT_ONCE = 2_000

/** A circuit that was opened, with what this process knows of it. */
interface OpenCircuit extends CircuitCause {
  /** Time of the next try by this process, on the stopwatch. */
  openUntil: number
  /** Whether the database had it when it was last read. */
  isStored: boolean
  /** Time at which an operation in its reach has worked, in milliseconds since 1970; the circuit is closed then. */
  workedAt: number | undefined
}

/** Facts by which a cause reaches an operation. */
type Watched = Pick<GatewayOperation, 'merchant' | 'method'>

type Refusal = NotSentOutcome | MisconfiguredOutcome

/**
 * Keeps operations from a gateway as far as a cause reaches: all of them, those of a merchant, or those by a kind of
 * method. For a while none of them is sent, then one; if that succeeds, all are sent again. Limits the number under way.
 */
export class CircuitBreaker implements Circuits {
  private readonly circuits = new Map<string, OpenCircuit>()
  /** Consecutive failures by merchant, and without an answer. */
  private readonly failures = new Map<string, number>()
  /** Times on the stopwatch until which a merchant's operations are held back, as there were too many. */
  private readonly heldBack = new Map<string, number>()
  private underWay = 0

  /** `clock` gives the times of failures; `merchant` is the credentials' own. */
  constructor(
    private readonly stopwatch: Clock,
    private readonly clock: Clock,
    private readonly merchant: string | undefined,
  ) {}

  /** Sends an operation unless a circuit keeps it back, and learns from its outcome. */
  async watch(operation: Watched, send: () => Promise<GatewayOutcome>): Promise<GatewayOutcome> {
    const refusal = this.refusal(operation)
    if (refusal) return refusal
    this.underWay++
    try {
      const outcome = await send()
      if (outcome.result === 'misconfigured') return this.refused(operation, outcome)
      if (outcome.result === 'not_sent' && outcome.retryAfter !== undefined)
        this.heldBack.set(this.merchantOf(operation), this.stopwatch.now() + 1_000 * outcome.retryAfter)
      else if (outcome.result === 'not_sent' && outcome.isReached)
        this.failed('failing', this.merchantOf(operation), outcome.problem)
      else if (outcome.result === 'not_sent') this.failed('unreachable', '', outcome.problem)
      else this.succeeded(operation)
      return outcome
    } catch (error) {
      const problem = shortProblem(error instanceof Error ? error.message : String(error))
      if (isUnanswered(error)) this.failed('unreachable', '', problem)
      else this.failed('failing', this.merchantOf(operation), problem)
      throw error
    } finally {
      this.underWay--
    }
  }

  /** Queries the gateway. A refused query is a cause that keeps no operation back, unless the credentials are refused. */
  async read<T>(call: string, merchant: string | undefined, query: () => Promise<T>): Promise<T> {
    const subject = merchant === undefined ? call : `${call} ${merchant}`
    try {
      const answer = await query()
      this.close((each) => each.scope === 'reading' && each.subject === subject)
      return answer
    } catch (error) {
      const scope = refusedScope(error)
      const problem = shortProblem(error instanceof Error ? error.message : String(error))
      if (scope === 'gateway') this.open('gateway', '', problem, OPEN_FOR.refused)
      else if (scope) this.open('reading', subject, problem, OPEN_FOR.refused)
      throw error
    }
  }

  unstored(): readonly CircuitCause[] {
    return [...this.circuits.values()].filter((each) => !each.isStored && each.workedAt === undefined)
  }

  over(): readonly OverCause[] {
    return [...this.circuits.values()].flatMap(({ scope, subject, isStored, workedAt }) =>
      isStored && workedAt !== undefined ? [{ scope, subject, workedAt }] : [],
    )
  }

  follow(stored: readonly CircuitCause[]): void {
    if (stored.length === 0 && this.circuits.size === 0) return
    const keys = new Set(stored.map(keyOf))
    const longAgo = this.clock.now() - OPEN_FOR.refused
    for (const [key, { isStored, workedAt = Number.POSITIVE_INFINITY }] of this.circuits)
      if (!keys.has(key) && (isStored || workedAt < longAgo)) this.circuits.delete(key)
    for (const cause of stored) {
      const known = this.circuits.get(keyOf(cause))
      if (known) known.isStored = true
      const before = known?.workedAt ?? known?.noticedAt ?? Number.NEGATIVE_INFINITY
      if (cause.noticedAt <= before) continue
      const left = cause.noticedAt + durationOf(cause.scope) - this.clock.now()
      const openUntil = this.stopwatch.now() + Math.min(left, durationOf(cause.scope))
      this.circuits.set(keyOf(cause), { ...cause, openUntil, isStored: true, workedAt: undefined })
    }
  }

  /** Outcome of an operation that is not sent now; undefined if it may be. */
  private refusal(operation: Watched): Refusal | undefined {
    if (this.underWay >= MAX_AT_ONCE)
      return { result: 'not_sent', problem: `${this.underWay} operations are under way` }
    const now = this.stopwatch.now()
    const waits = this.waiting(operation, now)
    if (waits || this.circuits.size === 0) return waits
    const inReach = [...this.circuits.values()].filter(
      (circuit) => circuit.workedAt === undefined && this.reaches(circuit, operation),
    )
    const open = inReach.find(({ openUntil }) => now < openUntil)
    if (open) return refusalBy(open)
    // While one is tried again, no other is sent.
    for (const circuit of inReach) circuit.openUntil = now + durationOf(circuit.scope)
    return undefined
  }

  /** Outcome of an operation of a merchant whose requests were too many a moment ago. */
  private waiting(operation: Watched, now: number): NotSentOutcome | undefined {
    if (this.heldBack.size === 0) return undefined
    const merchant = this.merchantOf(operation)
    const until = this.heldBack.get(merchant) ?? now
    if (until <= now) {
      this.heldBack.delete(merchant)
      return undefined
    }
    return {
      result: 'not_sent',
      problem: 'The processor has taken no more requests just now',
      isReached: true,
      retryAfter: Math.ceil((until - now) / 1_000),
    }
  }

  private refused(operation: Watched, outcome: MisconfiguredOutcome): MisconfiguredOutcome {
    this.forgetFailures(operation)
    const { scope, problem } = outcome
    const merchant = scope === 'gateway' ? '' : this.merchantOf(operation)
    this.open(scope, merchant, problem, OPEN_FOR.refused)
    return { ...outcome, merchant }
  }

  private failed(scope: 'unreachable' | 'failing', subject: string, problem: string): void {
    const count = (this.failures.get(`${scope} ${subject}`) ?? 0) + 1
    this.failures.set(`${scope} ${subject}`, count)
    if (count >= FAILURES) this.open(scope, subject, problem, OPEN_FOR.failing)
  }

  private open(scope: CircuitScope, subject: string, problem: string, milliseconds: number): void {
    const key = keyOf({ scope, subject })
    const known = this.circuits.get(key)
    const isStored = known?.isStored === true && known.workedAt === undefined
    // A gateway that refuses was reached, and one that is not reached now may no longer refuse.
    const replaced = REPLACED.get(scope)
    if (replaced) this.circuits.delete(keyOf({ scope: replaced, subject }))
    this.circuits.set(key, {
      scope,
      subject,
      problem,
      noticedAt: this.clock.now(),
      openUntil: this.stopwatch.now() + milliseconds,
      isStored,
      workedAt: undefined,
    })
  }

  private succeeded(operation: Watched): void {
    this.forgetFailures(operation)
    this.close((circuit) => this.reaches(circuit, operation))
  }

  private forgetFailures(operation: Watched): void {
    if (this.failures.size === 0) return
    this.failures.delete('unreachable ')
    this.failures.delete(`failing ${this.merchantOf(operation)}`)
  }

  private close(isInReach: (circuit: OpenCircuit) => boolean): void {
    if (this.circuits.size === 0) return
    for (const circuit of this.circuits.values())
      if (circuit.workedAt === undefined && isInReach(circuit)) circuit.workedAt = this.clock.now()
  }

  private merchantOf({ merchant }: Watched): string {
    return merchant === undefined || merchant === this.merchant ? '' : merchant
  }

  /** Whether a circuit keeps an operation back. */
  private reaches({ scope, subject }: CircuitCause, operation: Watched): boolean {
    const { method } = operation
    switch (scope) {
      case 'gateway':
      case 'unreachable':
        return true
      case 'merchant':
      case 'failing':
        return this.merchantOf(operation) === subject
      case 'card':
      case 'bank_account':
        return this.merchantOf(operation) === subject && method?.type === scope
      case 'card_number':
        return this.merchantOf(operation) === subject && method?.type === 'card' && !method.token
      case 'reading':
        return false
    }
  }
}

/** Scopes of causes that exclude one another. */
const REPLACED: ReadonlyMap<CircuitScope, CircuitScope> = new Map([
  ['gateway', 'unreachable'],
  ['unreachable', 'gateway'],
  ['merchant', 'failing'],
  ['failing', 'merchant'],
])

function keyOf({ scope, subject }: Pick<CircuitCause, 'scope' | 'subject'>): string {
  return `${scope} ${subject}`
}

function durationOf(scope: CircuitScope): number {
  return scope === 'unreachable' || scope === 'failing' ? OPEN_FOR.failing : OPEN_FOR.refused
}

/** Outcome of an operation that an open circuit keeps back. */
function refusalBy({ scope, subject, problem }: OpenCircuit): Refusal {
  switch (scope) {
    case 'unreachable':
    case 'failing':
    case 'reading':
      return { result: 'not_sent', problem: 'It did not work just now, and is left alone for a while' }
    default:
      return { result: 'misconfigured', scope, merchant: subject, problem, isRepeated: true }
  }
}
