import { setImmediate as nextTurn } from 'node:timers/promises'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import { type AttemptDependencies, attempt } from './attempt.js'
import {
  type ClaimRequest,
  claimDeliveries,
  type DeliveryClaim,
  type DueWebhook,
  dueNow,
  releaseClaims,
} from './claim-deliveries.js'
import { deliveryOutcome } from './delivery-outcome.js'
import { fanOutEvents, fanOutLateEvents } from './fan-out-events.js'
import { type Concurrency, ReceiverQueues } from './receiver-queues.js'
import { type AttemptRecord, recordAttempts } from './record-attempts.js'
import { WebhookTokens } from './webhook-tokens.js'

export interface DelivererOptions extends AttemptDependencies {
  readonly runner: WorkRunner
  readonly random: Random
  readonly timers: Timers
  readonly concurrency: Concurrency
}

/** In time-outs: how long a claim may wait for its turn, and how long its attempt may then take to be recorded. */
const QUEUE_TIMEOUTS = 1
const RECORD_TIMEOUTS = 0.5
/** Milliseconds between looks for what has become due, while attempts are under way. */
const POLL_INTERVAL = 200
/** Attempts recorded in one unit of work, and the milliseconds for which they are collected. */
const BATCH_SIZE = 500
const BATCH_MILLISECONDS = 200

/**
 * Notifies webhooks of events: makes deliveries for those that listen, attempts what is due, and records the outcomes.
 * Any number of processes may do it on one database; what one has claimed and does not finish is due again when its
 * lease ends.
 */
export class Deliverer {
  private readonly queues: ReceiverQueues
  private readonly tokens: WebhookTokens
  private made: AttemptRecord[] = []
  private isRecording = false
  private isBeginning = false
  /** Ends the collecting of attempts; nothing while none are collected. */
  private stopCollecting: (() => void) | undefined
  private readonly failures: unknown[] = []
  private wake: () => void = () => undefined
  private readonly cutOff: DeliveryClaim[] = []
  /** Receivers that more is due for than was claimed. */
  private readonly more = new Set<string>()
  /** Whether events wait until there is room for what they notify of. */
  private isFull = false
  private count = 0

  constructor(private readonly options: DelivererOptions) {
    this.queues = new ReceiverQueues(options.concurrency)
    this.tokens = new WebhookTokens(options.http, options.vault, options.clock)
  }

  /**
   * Goes on until nothing is due; answers how many attempts were made. Never runs twice at once. When `stopping` is
   * aborted, attempts under way are cut off, and due again. Throws what failed first; the next run goes on.
   */
  async run(stopping: AbortSignal): Promise<number> {
    this.count = 0
    this.more.clear()
    const cut = new AbortController()
    const stop = () => {
      cut.abort()
      this.wake()
    }
    stopping.addEventListener('abort', stop)
    if (stopping.aborted) stop()
    const failed: unknown[] = []
    try {
      while (!cut.signal.aborted && this.failures.length === 0 && (await this.round(cut.signal)));
    } catch (error) {
      failed.push(...this.failures, error)
    }
    cut.abort()
    try {
      await this.finish()
    } catch (error) {
      failed.push(error)
    }
    stopping.removeEventListener('abort', stop)
    // Cancels the timer of the last round.
    this.wake()
    // Always taken out, so that the next run begins without them; what failed first explains the rest.
    failed.push(...this.failures.splice(0))
    if (failed.length > 0) throw failed[0]
    return this.count
  }

  /** Answers whether there is more to do. */
  private async round(stopping: AbortSignal): Promise<boolean> {
    const { runner } = this.options
    const woken = this.sleep()
    // What comes next is written in the same turn, so that both share a commit.
    if (this.isFull || this.more.size > 0) void this.recordAll()
    const isMoreDue = await this.claim()
    const { events, claims, isFull } = await fanOutEvents(runner, {
      claimable: (receiver) => this.queues.claimable(receiver),
      leaseEnd: () => this.leaseEnd(),
    })
    for (const one of claims) this.queues.add(one)
    this.isFull = isFull
    this.begin(stopping)
    if (events > 0 || (await fanOutLateEvents(runner))) return true
    if (isMoreDue) return true
    if (this.queues.isEmpty && this.made.length === 0 && !this.isRecording) return false
    await woken
    return true
  }

  /** Answers whether more may be due. */
  private async claim(): Promise<boolean> {
    const { runner } = this.options
    const due = await runner.read(dueNow)
    const requests = this.claimRequests(due)
    if (requests.length === 0) return false
    const { claims, more } = await runner.write(
      async (work) => await claimDeliveries(work, requests, work.newId(''), this.leaseEnd()),
    )
    for (const one of claims) this.queues.add(one)
    const left = due.filter(({ webhookId }) => more.includes(webhookId)).map(({ receiver }) => receiver)
    this.more.clear()
    for (const receiver of left) this.more.add(receiver)
    return more.length > 0
  }

  private leaseEnd(): number {
    const { clock, timeout } = this.options
    return clock.now() + timeout * (QUEUE_TIMEOUTS + 1 + RECORD_TIMEOUTS)
  }

  /** The webhooks of one receiver share what may be claimed for it. */
  private claimRequests(due: readonly DueWebhook[]): ClaimRequest[] {
    const sharing = new Map<string, number>()
    for (const { receiver } of due) sharing.set(receiver, (sharing.get(receiver) ?? 0) + 1)
    return due.flatMap(({ webhookId, receiver }) => {
      const claimable = this.queues.claimable(receiver)
      const limit = Math.max(Math.floor(claimable / (sharing.get(receiver) ?? 1)), 1)
      return claimable === 0 ? [] : [{ webhookId, limit }]
    })
  }

  private begin(stopping: AbortSignal): void {
    const { clock, timeout } = this.options
    for (const one of this.queues.begin()) {
      // After waiting too long, its attempt would outlive its lease: another process will claim it.
      if (clock.now() > one.until - timeout * (1 + RECORD_TIMEOUTS)) this.queues.end(one)
      else void this.attempt(one, stopping)
    }
  }

  /** Begins what may follow the answers of this turn of the event loop, all together: one at a time would take longer. */
  private async beginNext(stopping: AbortSignal): Promise<void> {
    this.isBeginning = true
    await nextTurn()
    this.isBeginning = false
    if (!stopping.aborted) this.begin(stopping)
  }

  private async attempt(one: DeliveryClaim, stopping: AbortSignal): Promise<void> {
    const { clock, random } = this.options
    const answer = await attempt(this.options, this.tokens, one, stopping)
    if (stopping.aborted && answer.status === 0) {
      this.cutOff.push(one)
    } else {
      const attempts = one.delivery.attempts + 1
      const chance = Buffer.from(random.bytes(2)).readUInt16BE() / 0x10000
      const outcome = deliveryOutcome(answer, { attempts, now: clock.now(), chance })
      this.made.push({ claim: one, answer, outcome })
      this.count++
    }
    this.queues.end(one)
    if (!this.isBeginning) void this.beginNext(stopping)
    this.recordSoon()
    const isMore = this.isFull || this.more.has(one.receiver)
    if (this.queues.isEmpty || (isMore && this.queues.claimable(one.receiver) > 0)) this.wake()
  }

  /** Waits a little while attempts go on, so that many of them share a commit. */
  private recordSoon(): void {
    if (this.made.length >= BATCH_SIZE || this.queues.isEmpty) {
      void this.recordAll()
    } else if (this.made.length > 0) {
      this.stopCollecting ??= this.options.timers.after(BATCH_MILLISECONDS, () => {
        this.stopCollecting = undefined
        void this.recordAll()
      })
    }
  }

  /** Records what is there; what comes meanwhile is collected again. */
  private async recordAll(): Promise<void> {
    if (this.isRecording || this.made.length === 0) return
    this.isRecording = true
    this.stopCollecting?.()
    this.stopCollecting = undefined
    const batch = this.made.splice(0, BATCH_SIZE)
    try {
      await this.options.runner.write(async (work) => await recordAttempts(work, batch))
    } catch (error) {
      // They are sent again when their leases end; the receiver recognizes them by their ids.
      this.made = []
      this.failures.push(error)
    }
    this.isRecording = false
    this.recordSoon()
    if (this.queues.isEmpty) this.wake()
  }

  /** Waits for attempts under way, and gives back what was not attempted. */
  private async finish(): Promise<void> {
    const waiting = this.queues.clear()
    while (!this.queues.isEmpty || this.made.length > 0 || this.isRecording) await this.sleep()
    const back = [...waiting, ...this.cutOff.splice(0)]
    if (back.length > 0 && this.failures.length === 0)
      await this.options.runner.write(async (work) => await releaseClaims(work, back))
  }

  /** Resolves at the next sign of life, or when it is time to look again. */
  private sleep(): Promise<void> {
    // A round that had more to do did not wait: its timer is cancelled.
    this.wake()
    return new Promise((resolve) => {
      const cancel = this.options.timers.after(POLL_INTERVAL, resolve)
      this.wake = () => {
        cancel()
        resolve()
      }
    })
  }
}
