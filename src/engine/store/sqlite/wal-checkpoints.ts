import type { Timers } from '../../../platform/clock.js'
import type { SqliteConnection } from './connection.js'

/** Milliseconds after a commit until the write-ahead log is brought into the database. */
const DELAY = 1_000

/** Brings the write-ahead log into the database soon after commits, and empties it when nobody writes any more. */
export class WalCheckpoints {
  private callOff: (() => void) | undefined

  constructor(
    private readonly connection: SqliteConnection,
    private readonly timers: Timers,
    private readonly isIdle: () => boolean,
  ) {}

  /** Something was committed. */
  checkpointSoon(): void {
    this.callOff ??= this.timers.after(DELAY, () => {
      this.callOff = undefined
      if (this.isIdle()) this.checkpoint()
      else this.checkpointSoon()
    })
  }

  close(): void {
    this.callOff?.()
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
