import { setImmediate as nextTurn } from 'node:timers/promises'
import { systemTimers, type Timers } from '../../../platform/clock.js'
import type { Joining } from './shared-transaction.js'

/**
 * Maximum number of units of work in one transaction, so that the first unit does not wait for too many
 * others.
 */
const MAX_WORKS = 32
/**
 * Maximum number of transactions whose units of work are still running. Beside a group, another one begins
 * only when it would be full: the larger a group, the lower the cost per unit of work.
 */
const MAX_RUNNING = 2
/** Milliseconds after which other transactions may begin, so that a wait for a lock does not block them. */
const LONGEST_TURN = 50

/** Shared transaction for units of work that arrived together. */
export interface Sharing {
  /** Milliseconds for which the first unit of work may still wait. */
  readonly patience: number
  /** Takes the waiting units of work once the transaction has begun; there is at least one. */
  take(): readonly Joining[]
  /** Notes that all units of work have ended. While the database commits them, others may run. */
  decided(): void
}

/**
 * Group commit. Units of work share a transaction if they arrive during one turn of the event loop, while
 * others run, or while the transaction begins.
 */
export class CommitGroups {
  private waiting: Joining[] = []
  private running = 0
  /** Number of running transactions with several units of work. */
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

  /** Waits as long as each turn of the event loop brings more units of work. */
  private async gathered(): Promise<void> {
    for (let count = 0; this.waiting.length > count && this.waiting.length < MAX_WORKS; ) {
      count = this.waiting.length
      await nextTurn()
    }
  }

  /** Runs one transaction. Resolves when the transaction has begun and has taken its units of work. */
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
