import type { WorkRunner } from '../../engine/jobs/due-job.js'
import type { Timers } from '../../platform/clock.js'
import { AttemptQueue, type AttemptQueueOptions } from './attempt-queue.js'
import { Batcher } from './batcher.js'
import { releaseClaims } from './claim-deliveries.js'
import { DeliveryClaimer } from './delivery-claimer.js'
import { fanOutLateEvents } from './fan-out-events.js'
import { type AttemptRecord, recordAttempts } from './record-attempts.js'
import { WebhookTokens } from './webhook-tokens.js'

/** Lets a loop wait for an interval, or until `wake` is called. */
export class Wakeup {
  private wakeUp: () => void = () => undefined

  constructor(
    private readonly timers: Timers,
    /** Milliseconds. */
    private readonly interval: number,
  ) {}

  /**
   * Starts a wait, which ends at the next `wake` or after the interval. A loop starts it before its work and awaits it
   * afterwards, so that a `wake` during the work counts. An earlier wait ends at once.
   */
  next(): Promise<void> {
    this.wake()
    return new Promise((resolve) => {
      const cancel = this.timers.after(this.interval, resolve)
      this.wakeUp = () => {
        cancel()
        resolve()
      }
    })
  }

  wake(): void {
    this.wakeUp()
  }
}

interface DelivererOptions extends AttemptQueueOptions {
  readonly runner: WorkRunner
  readonly timers: Timers
}

/** Milliseconds between two queries for due deliveries while attempts are under way. */
const POLL_INTERVAL = 200

/**
 * Notifies webhooks of events: makes a delivery for each webhook that listens, attempts it, and records the outcome. Any
 * number of processes may do so on one database. A delivery that a process claims and does not finish is due again when
 * its lease ends.
 */
export class Deliverer {
  private readonly tokens: WebhookTokens

  constructor(private readonly options: DelivererOptions) {
    this.tokens = new WebhookTokens(options.http, options.vault, options.clock)
  }

  /**
   * Attempts deliveries until none is due. Returns the number of attempts. Only one run may be under way at a time. When
   * `stopping` aborts, attempts under way are cut off, and their deliveries are due again. Throws the first error after
   * the run has ended; the next run continues from the stored deliveries.
   */
  async run(stopping: AbortSignal): Promise<number> {
    return await new DeliveryRun(this.options, this.tokens).run(stopping)
  }
}

/** One run: a claimer fills a queue, and a batcher records the attempts that the queue makes. */
class DeliveryRun {
  private readonly cutOff = new AbortController()
  private readonly wakeup: Wakeup
  private readonly queue: AttemptQueue
  private readonly claimer: DeliveryClaimer
  /** A delivery whose record fails is sent again when its lease ends; the receiver recognizes it by its id. */
  private readonly batcher: Batcher<AttemptRecord>
  private count = 0

  constructor(
    private readonly options: DelivererOptions,
    tokens: WebhookTokens,
  ) {
    const { runner, timers } = options
    this.wakeup = new Wakeup(timers, POLL_INTERVAL)
    this.queue = new AttemptQueue(options, {
      tokens,
      stopping: this.cutOff.signal,
      onEnd: (receiver, record) => this.onAttempt(receiver, record),
    })
    this.claimer = new DeliveryClaimer(runner, this.queue)
    this.batcher = new Batcher({
      timers,
      write: async (attempts) => await runner.write(async (work) => await recordAttempts(work, attempts)),
      isLast: () => this.queue.isEmpty,
      onWritten: () => {
        if (this.queue.isEmpty) this.wakeup.wake()
      },
    })
  }

  async run(stopping: AbortSignal): Promise<number> {
    const stop = () => {
      this.cutOff.abort()
      this.wakeup.wake()
    }
    stopping.addEventListener('abort', stop)
    if (stopping.aborted) stop()
    const { failures } = this.batcher
    const errors: unknown[] = []
    try {
      while (!this.cutOff.signal.aborted && failures.length === 0 && (await this.round()));
    } catch (error) {
      errors.push(...failures, error)
    }
    try {
      await this.finish()
    } catch (error) {
      errors.push(error)
    }
    stopping.removeEventListener('abort', stop)
    errors.push(...failures)
    if (errors.length > 0) throw errors[0]
    return this.count
  }

  /** Returns whether there is more to do. */
  private async round(): Promise<boolean> {
    const woken = this.wakeup.next()
    // The next claims are written in the same turn of the event loop, so that both share a commit.
    if (this.claimer.hasBacklog) void this.batcher.flush()
    const isMoreDue = await this.claimer.claimDue()
    const hadEvents = await this.claimer.claimNew()
    this.queue.start()
    if (hadEvents || (await fanOutLateEvents(this.options.runner)) || isMoreDue) return true
    if (this.isIdle) return false
    await woken
    return true
  }

  private onAttempt(receiver: string, record: AttemptRecord | undefined): void {
    if (record) {
      this.batcher.add(record)
      this.count++
    }
    this.batcher.schedule()
    if (this.queue.isEmpty || this.claimer.canRefill(receiver)) this.wakeup.wake()
  }

  /** Waits for attempts under way and releases the claims that were not attempted. */
  private async finish(): Promise<void> {
    this.cutOff.abort()
    const waiting = this.queue.clear()
    while (!this.isIdle) await this.wakeup.next()
    // Cancels the timer of the last wait.
    this.wakeup.wake()
    const claims = [...waiting, ...this.queue.takeCutOff()]
    if (claims.length > 0 && this.batcher.failures.length === 0)
      await this.options.runner.write(async (work) => await releaseClaims(work, claims))
  }

  private get isIdle(): boolean {
    return this.queue.isEmpty && this.batcher.isEmpty
  }
}
