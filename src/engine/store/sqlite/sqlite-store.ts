import type { SealedBooks } from '../books/sealed-books.js'
import type { Prepared } from '../database/prepared.js'
import type { ReadOptions, SealChecks, Store, Tx, WriteOptions } from '../database/store.js'
import { CommitQueue } from './commit-queue.js'
import { type ScanLimits, USUAL_SCAN } from './list-scan.js'
import { SharedSnapshot } from './shared-snapshot.js'
import { SqliteConnection } from './sqlite-connection.js'
import { explainSqliteError } from './sqlite-errors.js'
import { WalCheckpoints } from './wal-checkpoints.js'

/** Store of one environment in one SQLite file. Each connection is opened when it is first used. */
export class SqliteStore implements Store {
  readonly dialect = 'sqlite'
  readonly seals: SealChecks | undefined
  private reading: Reading | undefined
  private writing: Writing | undefined
  private closed = false

  /** Sealed tables cannot be changed without `books`. */
  constructor(
    private readonly path: string,
    private readonly books?: SealedBooks,
    private readonly scan: ScanLimits = USUAL_SCAN,
  ) {
    books?.writeWith(this.write.bind(this))
    books?.control.readWith(this)
    this.seals = books?.control
  }

  async run<P extends object, R>(query: Prepared<P, R>, params: P): Promise<R[]> {
    try {
      const { connection, line } = this.reader()
      return await (line.isCurrent ? connection.run(query, params) : line.read((tx) => tx.run(query, params)))
    } catch (error) {
      throw explainSqliteError(error, this.path)
    }
  }

  async read<T>(work: (tx: Tx) => Promise<T>, { list, isAwaited }: ReadOptions = {}): Promise<T> {
    try {
      return await this.reader().line.read((connection, renew) =>
        list
          ? connection.scanning({ limits: this.scan, renew, isAwaited: isAwaited ?? always }, work)
          : work(connection),
      )
    } catch (error) {
      throw explainSqliteError(error, this.path)
    }
  }

  async write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T> {
    try {
      const { queue, checkpoints } = this.writer()
      const answer = await queue.write(work, options)
      checkpoints?.checkpointSoon()
      return answer
    } catch (error) {
      throw explainSqliteError(error, this.path)
    }
  }

  async close(): Promise<void> {
    this.closed = true
    await this.writing?.queue.drained()
    await this.reading?.line.drained()
    this.writing?.checkpoints?.close()
    await this.books?.close()
    this.writing?.connection.close()
    this.reading?.connection.close()
  }

  private reader(): Reading {
    this.reading ??= reading(this.open(SqliteConnection.reader), () => this.writing?.queue.commits ?? 0)
    return this.reading
  }

  private writer(): Writing {
    this.writing ??= writing(this.open(SqliteConnection.writer), this.books)
    return this.writing
  }

  private open(connect: (path: string) => SqliteConnection): SqliteConnection {
    if (this.closed) throw new Error('The store is closed')
    return connect(this.path)
  }
}

function always(): boolean {
  return true
}

interface Reading {
  readonly connection: SqliteConnection
  readonly line: SharedSnapshot
}
interface Writing {
  readonly connection: SqliteConnection
  readonly queue: CommitQueue
  readonly checkpoints: WalCheckpoints | undefined
}

function reading(connection: SqliteConnection, commits: () => number): Reading {
  return { connection, line: new SharedSnapshot(connection, commits) }
}

function writing(connection: SqliteConnection, books: SealedBooks | undefined): Writing {
  const queue = new CommitQueue(connection, books)
  const checkpoints = books && new WalCheckpoints(connection, books.options.timers, () => queue.isIdle)
  return { connection, queue, checkpoints }
}
