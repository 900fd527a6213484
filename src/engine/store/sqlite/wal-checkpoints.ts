import type { Timers } from '../../../platform/clock.js'
import type { SqliteConnection } from './connection.js'

/** Milliseconds without a commit after which the write-ahead log is brought into the database. */
const PAUSE = 1_000
/** Pauses that are waited for while commits go on; the log is brought over then as well, when nobody waits for a commit. */
const MOST_PAUSES = 10

/**
 * Brings the write-ahead log into the database and empties it when nobody writes any more. Under load commits bring it over
 * themselves, as often as it gets long; doing so in each short pause as well took a twentieth of a payment's time.
 */
export class WalCheckpoints {
  private callOff: (() => void) | undefined
  private isPause = true

  constructor(
    private readonly connection: SqliteConnection,
    private readonly timers: Timers,
    private readonly isIdle: () => boolean,
  ) {}

  /** Something was committed. */
  checkpointSoon(): void {
    if (this.callOff) this.isPause = false
    else this.await(1)
  }

  close(): void {
    this.callOff?.()
  }

  private await(pauses: number): void {
    this.isPause = true
    this.callOff = this.timers.after(PAUSE, () => {
      this.callOff = undefined
      if (this.isIdle() && (this.isPause || pauses >= MOST_PAUSES)) this.checkpoint()
      else this.await(pauses + 1)
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
