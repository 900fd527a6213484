import { setMaxListeners } from 'node:events'
import type { WorkRunner } from '../../engine/jobs/job.js'
import type { Timers } from '../../platform/clock.js'
import type { Random } from '../../platform/random.js'
import { attempt, type Telling } from './attempt.js'
import { type Claim, claim, type Due, dueNow, release, type Wanted } from './claim.js'
import { fanOut, sweep } from './fan-out.js'
import { Lines, type Room } from './lines.js'
import { decide } from './outcome.js'
import { type Made, record } from './record.js'
import { Tokens } from './tokens.js'

export interface DelivererOptions extends Telling {
  readonly runner: WorkRunner
  readonly random: Random
  readonly timers: Timers
  readonly room: Room
}

/** Of a time-out: how long what was claimed may wait for its turn, and then take beyond it until it is written down. */
const PATIENCE = 1
const MARGIN = 0.5
/** Milliseconds after which what has become due is looked for, while attempts are under way. */
const LOOK = 200
/** So many attempts are written down in one unit of work, or those of so many milliseconds. */
const LOT = 500
const GATHER = 50

/**
 * Tells webhooks of events: hands what happened to those that hear it, makes the attempts that are due, and writes
 * down what came of them. Any number of processes may do it on one database; what one of them has claimed and does not
 * finish is due again when its lease ends.
 */
export class Deliverer {
  private readonly lines: Lines
  private readonly tokens: Tokens
  private made: Made[] = []
  private isRecording = false
  private isGathering = false
  private readonly failures: unknown[] = []
  private wake: () => void = () => undefined
  private readonly cutOff: Claim[] = []
  /** Receivers that the last claim left something of. */
  private readonly more = new Set<string>()
  private count = 0

  constructor(private readonly options: DelivererOptions) {
    this.lines = new Lines(options.room)
    this.tokens = new Tokens(options.http, options.vault, options.clock)
  }

  /**
   * Goes on until nothing is due any more; answers how many attempts were made. Never runs twice at once. When
   * `stopping` is aborted it cuts off what is under way, which is due again then.
   */
  async run(stopping: AbortSignal): Promise<number> {
    this.count = 0
    this.more.clear()
    const cut = new AbortController()
    // Each attempt under way listens.
    setMaxListeners(0, cut.signal)
    const stop = () => {
      cut.abort()
      this.wake()
    }
    stopping.addEventListener('abort', stop)
    if (stopping.aborted) stop()
    try {
      while (!cut.signal.aborted && this.failures.length === 0 && (await this.turn(cut.signal)));
    } finally {
      cut.abort()
      await this.finish()
      stopping.removeEventListener('abort', stop)
    }
    const failed = this.failures.splice(0)
    if (failed.length > 0) throw failed[0]
    return this.count
  }

  /** Answers whether there is more to do. */
  private async turn(stopping: AbortSignal): Promise<boolean> {
    const { runner } = this.options
    const woken = this.sleep()
    const handed = await fanOut(runner)
    const claimed = await this.claim()
    this.begin(stopping)
    if (handed > 0 || (await sweep(runner))) return true
    if (claimed) return true
    if (this.lines.isEmpty && this.made.length === 0 && !this.isRecording) return false
    await woken
    return true
  }

  /** Answers whether more may be due. */
  private async claim(): Promise<boolean> {
    const { runner, clock, timeout } = this.options
    const due = await runner.read(dueNow)
    const wanted = this.wanted(due)
    if (wanted.length === 0) return false
    const until = clock.now() + timeout * (PATIENCE + 1 + MARGIN)
    const { claims, more } = await runner.write(
      async (work) => await claim(work, wanted, work.newId(''), until),
    )
    for (const one of claims) this.lines.add(one)
    const left = due.filter(({ webhookId }) => more.includes(webhookId)).map(({ receiver }) => receiver)
    this.more.clear()
    for (const receiver of left) this.more.add(receiver)
    return more.length > 0
  }

  /** The webhooks of one receiver share what there is room for. */
  private wanted(due: readonly Due[]): Wanted[] {
    const sharing = new Map<string, number>()
    for (const { receiver } of due) sharing.set(receiver, (sharing.get(receiver) ?? 0) + 1)
    return due.flatMap(({ webhookId, receiver }) => {
      const room = this.lines.wanted(receiver)
      const most = Math.max(Math.floor(room / (sharing.get(receiver) ?? 1)), 1)
      return room === 0 ? [] : [{ webhookId, most }]
    })
  }

  private begin(stopping: AbortSignal): void {
    const { clock, timeout } = this.options
    for (const one of this.lines.begin()) {
      // What has waited too long is somebody else's soon: its attempt would outlive its lease.
      if (clock.now() > one.until - timeout * (1 + MARGIN)) this.lines.end(one)
      else void this.attempt(one, stopping)
    }
  }

  private async attempt(one: Claim, stopping: AbortSignal): Promise<void> {
    const { clock, random } = this.options
    const answer = await attempt(this.options, this.tokens, one, stopping)
    if (stopping.aborted && answer.status === 0) {
      this.cutOff.push(one)
    } else {
      const attempts = one.delivery.attempts + 1
      const chance = Buffer.from(random.bytes(2)).readUInt16BE() / 0x10000
      const outcome = decide(answer, { attempts, now: clock.now(), chance })
      this.made.push({ claim: one, answer, outcome })
      this.count++
      this.recordSoon()
    }
    this.lines.end(one)
    if (!stopping.aborted) this.begin(stopping)
    if (this.lines.isEmpty || (this.more.has(one.receiver) && this.lines.wanted(one.receiver) > 0))
      this.wake()
  }

  /** Attempts go on meanwhile, so that many of them share a commit. */
  private recordSoon(): void {
    if (this.made.length >= LOT) {
      void this.recordAll()
    } else if (!this.isGathering) {
      this.isGathering = true
      this.options.timers.after(GATHER, () => {
        this.isGathering = false
        void this.recordAll()
      })
    }
  }

  /** Writes down what is there, and then what has come meanwhile. */
  private async recordAll(): Promise<void> {
    if (this.isRecording || this.made.length === 0) return
    this.isRecording = true
    try {
      while (this.made.length > 0) {
        const lot = this.made.splice(0, LOT)
        await this.options.runner.write(async (work) => await record(work, lot))
      }
    } catch (error) {
      // Their leases end, and they are sent again: the receiver knows them by their ids.
      this.made = []
      this.failures.push(error)
    } finally {
      this.isRecording = false
      this.wake()
    }
  }

  /** Waits for what was begun, and gives back what was not done. */
  private async finish(): Promise<void> {
    const waiting = this.lines.clear()
    while (!this.lines.isEmpty || this.made.length > 0 || this.isRecording) await this.sleep()
    const back = [...waiting, ...this.cutOff.splice(0)]
    if (back.length > 0 && this.failures.length === 0)
      await this.options.runner.write(async (work) => await release(work, back))
  }

  /** Resolves at the next sign of life, or when it is time to look again. */
  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      const callOff = this.options.timers.after(LOOK, resolve)
      this.wake = () => {
        callOff()
        resolve()
      }
    })
  }
}
