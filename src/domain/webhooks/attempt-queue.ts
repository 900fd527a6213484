import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Random } from '../../platform/random.js'
import type { Capacity } from './assign-deliveries.js'
import { type AttemptAnswer, type AttemptDependencies, attempt } from './attempt.js'
import type { DeliveryClaim } from './claim-deliveries.js'
import { deliveryOutcome } from './delivery-outcome.js'
import { type Concurrency, ReceiverQueues } from './receiver-queues.js'
import type { AttemptRecord } from './record-attempts.js'
import type { WebhookTokens } from './webhook-tokens.js'

export interface AttemptQueueOptions extends AttemptDependencies {
  readonly random: Random
  readonly concurrency: Concurrency
}

interface QueueContext {
  readonly tokens: WebhookTokens
  /** Cuts off the attempts under way, and lets no other start. */
  readonly stopping: AbortSignal
  /** Called when an attempt has ended; without a record if `stopping` cut it off. */
  readonly onEnd: (receiver: string, record?: AttemptRecord) => void
}

/** Parts of a lease, as multiples of the time-out: the wait in the queue; then the attempt and its recording. */
const QUEUE_TIMEOUTS = 1
const ATTEMPT_TIMEOUTS = 1 + 0.5

/** Attempts claimed deliveries, as many at once as the concurrency allows. */
export class AttemptQueue implements Capacity {
  private readonly queues: ReceiverQueues
  private readonly cutOff: DeliveryClaim[] = []
  private isStarting = false

  constructor(
    private readonly options: AttemptQueueOptions,
    private readonly context: QueueContext,
  ) {
    this.queues = new ReceiverQueues(options.concurrency)
  }

  /** Whether no claim waits and no attempt is under way. */
  get isEmpty(): boolean {
    return this.queues.isEmpty
  }

  claimable(receiver: string): number {
    return this.queues.claimable(receiver)
  }

  leaseEnd(): number {
    const { clock, timeout } = this.options
    return clock.now() + timeout * (QUEUE_TIMEOUTS + ATTEMPT_TIMEOUTS)
  }

  add(claims: readonly DeliveryClaim[]): void {
    for (const claim of claims) this.queues.add(claim)
  }

  /** Starts every attempt that the concurrency allows now. */
  start(): void {
    const { clock, timeout } = this.options
    for (const claim of this.queues.begin()) {
      // After too long a wait the attempt would outlive its lease: another process will claim the delivery.
      if (clock.now() > claim.until - timeout * ATTEMPT_TIMEOUTS) this.queues.end(claim)
      else void this.attempt(claim)
    }
  }

  /** Removes the claims that wait. */
  clear(): DeliveryClaim[] {
    return this.queues.clear()
  }

  /** Removes the claims whose attempts were cut off. */
  takeCutOff(): DeliveryClaim[] {
    return this.cutOff.splice(0)
  }

  private async attempt(claim: DeliveryClaim): Promise<void> {
    const { tokens, stopping, onEnd } = this.context
    const answer = await attempt(this.options, tokens, claim, stopping)
    const isCutOff = stopping.aborted && answer.status === 0
    if (isCutOff) this.cutOff.push(claim)
    const record = isCutOff ? undefined : this.recordOf(claim, answer)
    this.queues.end(claim)
    if (!this.isStarting) void this.startNext()
    onEnd(claim.receiver, record)
  }

  private recordOf(claim: DeliveryClaim, answer: AttemptAnswer): AttemptRecord {
    const { clock, random } = this.options
    const attempts = claim.delivery.attempts + 1
    const chance = Buffer.from(random.bytes(2)).readUInt16BE() / 0x10000
    return { claim, answer, outcome: deliveryOutcome(answer, { attempts, now: clock.now(), chance }) }
  }

  /**
   * Starts the next attempts once for all answers of this turn of the event loop, which costs less than once for each
   * answer.
   */
  private async startNext(): Promise<void> {
    this.isStarting = true
    await nextTurn()
    this.isStarting = false
    if (!this.context.stopping.aborted) this.start()
  }
}
