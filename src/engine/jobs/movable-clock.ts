import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.js'
import type { BusinessClock } from '../core/read/read-dependencies.js'
import type { Runs, Tx } from '../store/database/store.js'
import { advanceTo, endAdvance, readClockRow, setOffset } from './clock-row.js'

/** Milliseconds for which a process goes on with the offset that it has read. */
const KNOWN_FOR = 50
/** Timers and the hands of two clocks may differ by a little. */
const MARGIN = 10
/** Milliseconds that one step of an advance may take: a process that died in one blocks others no longer than that. */
const LONGEST_STEP = 60_000

/**
 * The clock of the test environment: the real time and an offset that is stored in its database, so that time goes on
 * after it was moved and all processes see the same.
 *
 * A unit of work costs nothing for it: a process reads the offset again only when what it knows is older than
 * `KNOWN_FOR`, and moving the clock waits as long before it returns. So every unit of work that begins after that, in any
 * process, has the new time.
 */
export class MovableClock implements BusinessClock {
  private known: { readonly offset: number; readonly until: number } | undefined

  constructor(
    private readonly real: Clock,
    private readonly stopwatch: Clock,
  ) {}

  async at(database: Runs): Promise<number> {
    return this.real.now() + (await this.offset(database))
  }

  /** Makes it so many milliseconds ahead of the real time, or behind it. */
  async set(tx: Tx, offset: number): Promise<void> {
    await setOffset(tx, offset)
  }

  /** Makes it show `instant` unless it is past that already, while somebody does what is due then. */
  async step(tx: Tx, instant: number): Promise<void> {
    const now = this.real.now()
    await advanceTo(tx, instant - now, now + LONGEST_STEP)
  }

  /** What was due on the way is done. */
  async arrive(tx: Tx): Promise<void> {
    await endAdvance(tx)
  }

  /** Whether another process is running the jobs that are due on the way to a later time. */
  async isAdvancing(tx: Tx): Promise<boolean> {
    const { advancing_until: until } = await readClockRow(tx)
    return until !== null && until > this.real.now()
  }

  /** To be called when a move is committed: this process has the new time from now on. */
  moved(): void {
    this.known = undefined
  }

  /** Resolves when every process has the new time. */
  async seen(): Promise<void> {
    this.moved()
    await pause(KNOWN_FOR + MARGIN)
  }

  private async offset(database: Runs): Promise<number> {
    const { known } = this
    const now = this.stopwatch.now()
    if (known && now < known.until) return known.offset
    const { offset_milliseconds: offset } = await readClockRow(database)
    // While it was read the clock may have been moved; what was read is older then.
    if (this.known === known) this.known = { offset, until: now + KNOWN_FOR }
    return offset
  }
}
