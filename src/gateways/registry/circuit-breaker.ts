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
/** Milliseconds for which a circuit stays open. A connection recovers sooner than an operator fixes a refusal. */
const OPEN_FOR = { failing: 10_000, refused: 30_000 }
/** Maximal number of operations under way at the same time. */
const MAX_AT_ONCE = 2_000

/** A circuit that was opened, with this process's facts about it. */
interface OpenCircuit extends CircuitCause {
  /** Time at which this process tries again, on the stopwatch. */
  openUntil: number
  /** Whether the circuit was in the database when the database was last read. */
  isStored: boolean
  /**
   * Time at which an operation in the circuit's scope succeeded and closed the circuit, in milliseconds since
   * 1970; undefined while open.
   */
  workedAt: number | undefined
}

/** Facts about an operation that decide whether a cause affects it. */
type Watched = Pick<GatewayOperation, 'merchant' | 'method'>

type Refusal = NotSentOutcome | MisconfiguredOutcome

/**
 * Stops sending operations that a gateway would fail or refuse: all, those of one merchant, or those with one kind of
 * method. After a while one operation is sent; if it succeeds, all are sent again. Also limits the number of operations
 * under way.
 */
export class CircuitBreaker implements Circuits {
  private readonly circuits = new Map<string, OpenCircuit>()
  /** Number of consecutive failures, by scope and merchant. */
  private readonly failures = new Map<string, number>()
  /** Time until which a merchant's operations are held back after too many requests, by merchant, on the stopwatch. */
  private readonly heldBack = new Map<string, number>()
  private underWay = 0

  /** `stopwatch` measures durations, `clock` dates failures; `merchant` is the credentials' own merchant. */
  constructor(
    private readonly stopwatch: Clock,
    private readonly clock: Clock,
    private readonly merchant: string | undefined,
  ) {}

  /** Sends an operation unless an open circuit holds it back. The outcome may open or close circuits. */
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

  /** Queries the gateway. A refused query holds back no operation, unless the gateway refuses the credentials. */
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

  /** Outcome of an operation that must not be sent now; undefined if it may be sent. */
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
    // This operation is the trial. No other one in these circuits is sent until the trial's time is over.
    for (const circuit of inReach) circuit.openUntil = now + durationOf(circuit.scope)
    return undefined
  }

  /**
   * Outcome of an operation that is held back because its merchant sent too many requests; undefined if it may be sent.
   */
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
    // A gateway that refuses is reachable. If a gateway is unreachable now, an earlier refusal may be
    // outdated.
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

  /** Whether an operation is in the scope of a circuit. */
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

/** Scopes that exclude each other: opening one closes the other. */
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

/** Outcome of an operation that an open circuit holds back. */
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
