import type { Timers } from '../../../platform/clock.js'
import type { SqliteConnection } from './sqlite-connection.js'

/** Milliseconds without a commit after which the write-ahead log is brought into the database. */
const QUIET = 1_000
/** Milliseconds for which commits may go on; then the log is brought over as soon as nobody waits for one. */
const PATIENCE = 10_000

/**
 * Brings the write-ahead log into the database and empties it when nobody writes any more. Under load commits bring it over
 * themselves, as often as it gets long; doing so in each idle moment as well took a twentieth of a payment's time.
 */
export class WalCheckpoints {
  private callOff: (() => void) | undefined
  private isQuiet = true

  constructor(
    private readonly connection: SqliteConnection,
    private readonly timers: Timers,
    private readonly isIdle: () => boolean,
  ) {}

  /** Something was committed. */
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

  /** Waits for nobody: what others still read stays for the next time. */
  private checkpoint(): void {
    const { database } = this.connection
    const patience = database.pragma('busy_timeout', { simple: true })
    database.pragma('busy_timeout = 0')
    try {
      database.pragma('wal_checkpoint(TRUNCATE)')
    } catch {
      // Commits, which bring the log over as well, say what is wrong.
      return
    } finally {
      database.pragma(`busy_timeout = ${patience}`)
    }
  }
}
