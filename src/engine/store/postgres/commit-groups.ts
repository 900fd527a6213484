import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemTimers, type Timers } from '../../../platform/clock.js'
import type { Joining } from './shared-transaction.js'

/** Units of work in one transaction at most, so that the first of them does not wait for too many others. */
const MAX_WORKS = 32
/**
 * Transactions at once whose works have not decided yet. Beside a group another one begins only when that is full: the larger,
 * the less each costs.
 */
const MAX_RUNNING = 2
/** Milliseconds after which others begin, too: what waits for a lock keeps nobody else waiting. */
const LONGEST_TURN = 50

/** A transaction for units of work that have come together. */
export interface Sharing {
  /** Milliseconds for which the first of them may still wait. */
  readonly patience: number
  /** Those that there are once it has begun; at least one. */
  take(): readonly Joining[]
  /** All of them have decided: while the database writes that, others may decide. */
  decided(): void
}

/**
 * Group commit: units of work that came during the same turn of the event loop, while others decided, or while the
 * transaction began, share it.
 */
export class CommitGroups {
  private waiting: Joining[] = []
  private running = 0
  /** Of those, the ones with several works. */
  private groups = 0
  private isGathering = false

  constructor(
    private readonly runGroup: (sharing: Sharing) => Promise<void>,
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
      await this.run()
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

  /** Resolves when the works of the transaction are known. */
  private async run(): Promise<void> {
    let groups = 0
    let isTurn = true
    let cancel: () => void = () => undefined
    const endTurn = () => {
      if (!isTurn) return
      isTurn = false
      this.running--
      this.groups -= groups
      void this.begin()
    }
    const patience = this.waiting[0]?.left() ?? 0
    await new Promise<void>((resolve) => {
      const take = () => {
        const works = this.waiting.splice(0, MAX_WORKS)
        groups = works.length > 1 ? 1 : 0
        this.running++
        this.groups += groups
        cancel = this.timers.after(LONGEST_TURN, endTurn)
        resolve()
        return works
      }
      void this.runGroup({ patience, take, decided: endTurn }).finally(() => {
        cancel()
        endTurn()
      })
    })
  }
}
