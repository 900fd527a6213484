import type { SqliteConnection } from './sqlite-connection.js'

/** Snapshot of committed data that reads are using. */
interface Snapshot {
  /** Number of this process's commits when the snapshot was taken. */
  readonly commits: number
  readonly ended: Promise<void>
  readers: number
  end(): void
}

/**
 * Snapshot that reads share until the next commit, because beginning one costs as much as a read. After a
 * commit, the next read waits until earlier reads have ended, so that it sees the committed data.
 */
export class SharedSnapshot {
  private snapshot: Snapshot | undefined

  constructor(
    private readonly connection: SqliteConnection,
    private readonly commits: () => number,
  ) {}

  /** Runs `work` in the shared snapshot. Its parameter `renew` replaces the snapshot by a newer one. */
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

  /** Whether a statement now sees all commits of this process. */
  get isCurrent(): boolean {
    return this.snapshot === undefined || this.snapshot.commits === this.commits()
  }

  /** Resolves when all reads have ended. */
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
