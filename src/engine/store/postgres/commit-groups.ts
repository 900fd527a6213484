import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemTimers, type Timers } from '../../../platform/clock.js'
import type { Joining } from './work-group.js'

/** Units of work in one transaction at most, so that the first of them does not wait for too many others. */
const MAX_WORKS = 32
/** Transactions at once. Beside a group another one begins only when that is full: the larger, the less each costs. */
const MAX_RUNNING = 2
/** Milliseconds after which others begin, too: what waits for a lock keeps nobody else waiting. */
const LONGEST_TURN = 50

/**
 * Group commit: units of work that came during the same turn of the event loop, or while others were committed, share a
 * transaction. One that comes alone has its own.
 */
export class CommitGroups {
  private waiting: Joining[] = []
  private running = 0
  /** Of those, the ones with several works. */
  private groups = 0
  private isGathering = false

  constructor(
    private readonly runGroup: (works: readonly Joining[]) => Promise<void>,
    private readonly timers: Timers = systemTimers,
  ) {}

  join(work: Joining): void {
    this.waiting.push(work)
    void this.begin()
  }

  private async begin(): Promise<void> {
    if (this.isGathering) return
    this.isGathering = true
    while (this.mayBegin()) {
      await this.gathered()
      this.run(this.waiting.splice(0, MAX_WORKS))
    }
    this.isGathering = false
  }

  private mayBegin(): boolean {
    if (this.waiting.length === 0 || this.running >= MAX_RUNNING) return false
    return this.groups === 0 || this.waiting.length >= MAX_WORKS
  }

  /** Waits while every turn of the event loop brings more works. */
  private async gathered(): Promise<void> {
    for (let count = 0; this.waiting.length > count && this.waiting.length < MAX_WORKS; ) {
      count = this.waiting.length
      await nextTurn()
    }
  }

  private run(works: readonly Joining[]): void {
    const groups = works.length > 1 ? 1 : 0
    let isTurn = true
    const endTurn = () => {
      if (!isTurn) return
      isTurn = false
      this.running--
      this.groups -= groups
      void this.begin()
    }
    this.running++
    this.groups += groups
    const cancel = this.timers.after(LONGEST_TURN, endTurn)
    const [first] = works
    const run = works.length === 1 && first ? first.apart() : this.runGroup(works)
    void run.finally(() => {
      cancel()
      endTurn()
    })
  }
}
