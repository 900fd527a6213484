import type { Timers } from '../../../platform/clock.js'
import type { SqliteConnection } from './sqlite-connection.js'

/** Milliseconds without a commit after which the write-ahead log is written into the database. */
const QUIET = 1_000
/**
 * Milliseconds of continuous commits after which the log is written as soon as no unit of work is waiting.
 */
const PATIENCE = 10_000

/**
 * Writes the write-ahead log into the database and empties it when no more commits follow. Under load,
 * commits write the log themselves whenever it gets long. Writing the log in each idle moment as well took 5
 * % of a payment's time.
 */
export class WalCheckpoints {
  private callOff: (() => void) | undefined
  private isQuiet = true

  constructor(
    private readonly connection: SqliteConnection,
    private readonly timers: Timers,
    private readonly isIdle: () => boolean,
  ) {}

  /** Notes a commit and schedules a checkpoint. */
  checkpointSoon(): void {
    if (this.callOff) this.isQuiet = false
    else this.await(QUIET)
  }

  close(): void {
    this.callOff?.()
  }

  private await(waited: number): void {
    this.isQuiet = true
    this.callOff = this.timers.after(QUIET, () => {
      this.callOff = undefined
      if (this.isIdle() && (this.isQuiet || waited >= PATIENCE)) this.checkpoint()
      else this.await(waited + QUIET)
    })
  }

  /**
   * Runs a checkpoint without waiting: pages that other connections still read stay in the log for the next
   * time.
   */
  private checkpoint(): void {
    const { database } = this.connection
    const patience = database.pragma('busy_timeout', { simple: true })
    database.pragma('busy_timeout = 0')
    try {
      database.pragma('wal_checkpoint(TRUNCATE)')
    } catch {
      // The error is ignored: commits write the log too, and report their errors.
      return
    } finally {
      database.pragma(`busy_timeout = ${patience}`)
    }
  }
}
