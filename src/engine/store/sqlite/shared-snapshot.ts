import type { SqliteConnection } from './sqlite-connection.js'

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
export class SharedSnapshot {
  private snapshot: Snapshot | undefined

  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: () => number,
  ) {}

  /** `renew` gives the snapshot back, and takes one in which more may be committed. */
  async read<T>(work: (connection: SqliteConnection, renew: () => Promise<void>) => Promise<T>): Promise<T> {
    let held: Snapshot | undefined = await this.enter()
    const renew = async () => {
      if (held) this.leave(held)
      held = undefined
      held = await this.enter()
    }
    try {
      return await work(this.connection, renew)
    } finally {
      if (held) this.leave(held)
    }
  }

  /** Whether a statement that runs now sees all that this process has committed. */
  get isCurrent(): boolean {
    return this.snapshot === undefined || this.snapshot.commits === this.commits()
  }

  /** Resolves when all reads are done. */
  async drained(): Promise<void> {
    while (this.snapshot) await this.snapshot.ended
  }

  private async enter(): Promise<Snapshot> {
    while (this.snapshot && !this.isCurrent) await this.snapshot.ended
    const snapshot = this.snapshot ?? this.begin()
    snapshot.readers++
    return snapshot
  }

  private leave(snapshot: Snapshot): void {
    snapshot.readers--
    if (snapshot.readers === 0) this.end(snapshot)
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
