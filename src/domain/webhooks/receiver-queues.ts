import type { DeliveryClaim } from './claim-deliveries.js'

/** Limits of the attempts that are under way at once. */
export interface Concurrency {
  /** Attempts of all receivers together. */
  readonly total: number
  /** Attempts of one receiver. */
  readonly each: number
}

/** Factor by which claims exceed a receiver's concurrency, so that claiming does not slow delivery down. */
const CLAIMED_AHEAD = 32

/**
 * Multiple of a receiver's concurrency below which more deliveries are claimed, so that no attempt waits for a claim.
 */
const REFILL = CLAIMED_AHEAD / 2

/**
 * Waiting claims and the number of attempts under way, by receiver, so that a slow receiver takes no more than its
 * share.
 */
export class ReceiverQueues {
  private readonly queues = new Map<string, { readonly waiting: DeliveryClaim[]; active: number }>()
  private active = 0

  constructor(private readonly concurrency: Concurrency) {}

  /** Whether no claim waits and no attempt is under way. */
  get isEmpty(): boolean {
    return this.queues.size === 0
  }

  /** Number of deliveries that may be claimed for a receiver now; 0 while enough claims wait for it. */
  claimable(receiver: string): number {
    const waiting = this.queues.get(receiver)?.waiting.length ?? 0
    const { each } = this.concurrency
    return waiting < each * REFILL ? each * CLAIMED_AHEAD - waiting : 0
  }

  add(claim: DeliveryClaim): void {
    this.line(claim.receiver).waiting.push(claim)
  }

  /** Takes the claims whose attempts may begin now: one of each receiver in turn, up to the limits. */
  *begin(): Generator<DeliveryClaim> {
    for (let found = true; found && this.active < this.concurrency.total; ) {
      found = false
      for (const queue of this.queues.values()) {
        if (queue.active >= this.concurrency.each || this.active >= this.concurrency.total) continue
        const claim = queue.waiting.shift()
        if (!claim) continue
        found = true
        queue.active++
        this.active++
        yield claim
      }
    }
  }

  /** Records that an attempt has ended. */
  end({ receiver }: DeliveryClaim): void {
    this.active--
    this.line(receiver).active--
    this.forget(receiver)
  }

  /** Removes all claims that have not begun. */
  clear(): DeliveryClaim[] {
    const claims = [...this.queues.values()].flatMap(({ waiting }) => waiting.splice(0))
    for (const receiver of [...this.queues.keys()]) this.forget(receiver)
    return claims
  }

  private line(receiver: string) {
    const line = this.queues.get(receiver) ?? { waiting: [], active: 0 }
    this.queues.set(receiver, line)
    return line
  }

  private forget(receiver: string): void {
    const line = this.queues.get(receiver)
    if (line && line.active === 0 && line.waiting.length === 0) this.queues.delete(receiver)
  }
}
