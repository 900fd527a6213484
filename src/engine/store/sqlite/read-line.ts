import type { Tx } from '../database/store.js'
import type { SqliteConnection } from './connection.js'

/** Committed data as it was at one moment, while somebody reads it. */
interface Snapshot {
  /** How many commits this process had made when it was taken. */
  readonly commits: number
  readonly ended: Promise<void>
  readers: number
  end(): void
}

/**
 * Reads share a snapshot while nothing has been committed since it was taken, as beginning one costs as much as a read;
 * after a commit the next read waits for those before it, so that it sees what was committed.
 */
export class ReadLine {
  private snapshot: Snapshot | undefined

  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: () => number,
  ) {}

  async read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    while (this.snapshot && this.snapshot.commits !== this.commits()) await this.snapshot.ended
    const snapshot = this.snapshot ?? this.begin()
    snapshot.readers++
    try {
      return await work(this.connection)
    } finally {
      snapshot.readers--
      if (snapshot.readers === 0) this.end(snapshot)
    }
  }

  /** Resolves when all reads are done. */
  async drained(): Promise<void> {
    while (this.snapshot) await this.snapshot.ended
  }

  private begin(): Snapshot {
    this.connection.control('begin')
    let end: () => void = () => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    this.snapshot = { commits: this.commits(), ended, readers: 0, end }
    return this.snapshot
  }

  private end(snapshot: Snapshot): void {
    if (this.connection.database.inTransaction) this.connection.control('rollback')
    this.snapshot = undefined
    snapshot.end()
  }
}
