import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../platform/clock.js'
import type { BusinessClock } from '../core/read/read-dependencies.js'
import { prepared } from '../store/database/prepared.js'
import type { Runs, Tx } from '../store/database/store.js'
import type { ClockRow } from '../store/database/tables.js'

/** Milliseconds for which a process uses the offset that it has read. */
const KNOWN_FOR = 50
/** Milliseconds by which timers and the clocks of two processes may differ. */
const MARGIN = 10
/**
 * Maximum milliseconds for one step of an advance. A process that dies in a step blocks other processes for
 * this time at most.
 */
const LONGEST_STEP = 60_000

/** Id of the only row, which does not exist until the clock is moved. */
const ID = 'clock'

/**
 * Clock of the test environment: real time plus an offset stored in its database. So time continues after a
 * move, and all processes see the same time.
 *
 * A unit of work usually needs no query for it. A process reads the offset again only when the known one is
 * older than `KNOWN_FOR`, and moving the clock waits as long before it returns. So every unit of work that
 * begins afterwards, in any process, has the new time.
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

  /** Sets the offset to the real time, in milliseconds; negative if the clock is behind. */
  async set({ db }: Tx, offset: number): Promise<void> {
    await db
      .insertInto('clock')
      .values({ id: ID, offset_milliseconds: offset, advancing_until: null })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ offset_milliseconds: offset }))
      .execute()
  }

  /**
   * Moves the clock forward to `instant`, unless the clock is later already, so that two concurrent advances
   * never set the clock back. Marks the advance as running.
   */
  async step({ db }: Tx, instant: number): Promise<void> {
    const now = this.real.now()
    const offset = instant - now
    const until = now + LONGEST_STEP
    await db
      .insertInto('clock')
      .values({ id: ID, offset_milliseconds: Math.max(offset, 0), advancing_until: until })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          advancing_until: until,
          offset_milliseconds: eb
            .case()
            .when('clock.offset_milliseconds', '<', offset)
            .then(offset)
            .else(eb.ref('clock.offset_milliseconds'))
            .end(),
        })),
      )
      .execute()
  }

  /** Ends the advance: all work on the way is done. */
  async arrive({ db }: Tx): Promise<void> {
    await db.updateTable('clock').set({ advancing_until: null }).where('id', '=', ID).execute()
  }

  /** Whether another process is advancing the clock and running the jobs on the way. */
  async isAdvancing(tx: Tx): Promise<boolean> {
    const { advancing_until: until } = await readClockRow(tx)
    return until !== null && until > this.real.now()
  }

  /** Makes this process read the new time. To be called when a move is committed. */
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
    // If the clock was moved during the read, the result is outdated.
    if (this.known === known) this.known = { offset, until: now + KNOWN_FOR }
    return offset
  }
}

/** Offset of the clock and the end of a running advance; zero and null if it was never moved. */
async function readClockRow(database: Runs): Promise<Omit<ClockRow, 'id'>> {
  const [row] = await database.run(clockRow, {})
  return row ?? { offset_milliseconds: 0, advancing_until: null }
}

const clockRow = prepared<object, ClockRow>((db) => db.selectFrom('clock').selectAll().where('id', '=', ID))
