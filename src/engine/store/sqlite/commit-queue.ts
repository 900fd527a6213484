import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf } from '../../../platform/error-code.js'
import { RetriedStep } from '../books/retried-step.js'
import type { SealedBooks } from '../books/sealed-books.js'
import type { Tx, WriteOptions } from '../database/store.js'
import type { SqliteConnection } from './sqlite-connection.js'

/**
 * Maximum number of units of work in one commit, so that the first unit does not wait for too many others.
 */
const MAX_PER_COMMIT = 128
/** Number of waiting units of work from which the queue stops waiting for more. */
const MAX_GATHERED = 8 * MAX_PER_COMMIT
/**
 * Maximum attempts to begin while another process locks the database. Each attempt waits for the lock, too.
 */
const ATTEMPTS = 100

interface QueuedWork {
  /** Runs the unit of work. The result settles the caller's promise after the durable commit. */
  run(tx: Tx): Promise<JobResult>
  fail(error: unknown): void
}
interface JobResult {
  /** Whether the changes of the unit of work are to be committed. */
  readonly kept: boolean
  readonly error?: unknown
  settle(): void
}

/**
 * Group commit: units of work that arrive during one turn of the event loop run one after another in one
 * transaction. Their promises settle after the durable commit. If one fails, units of the group may run
 * twice.
 */
export class CommitQueue {
  private readonly waiting: QueuedWork[] = []
  private running: Promise<void> | undefined
  /** Number of commits so far. A read compares it to see whether its snapshot is outdated. */
  commits = 0
  private readonly rollingBack: RetriedStep | undefined

  constructor(
    private readonly connection: SqliteConnection,
    private readonly books: SealedBooks | undefined,
    private readonly attempts = ATTEMPTS,
  ) {
    this.rollingBack = books && new RetriedStep('Changes could not be rolled back', books.options.report)
  }

  write<T>(work: (tx: Tx) => Promise<T>, { discard = false }: WriteOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (tx: Tx): Promise<JobResult> => {
        try {
          const answer = await work(tx)
          return { kept: !discard, settle: () => resolve(answer) }
        } catch (error) {
          return { kept: false, error, settle: () => reject(error) }
        }
      }
      this.waiting.push({ run, fail: reject })
      this.running ??= this.runAll()
    })
  }

  /** Whether no unit of work is waiting or running. */
  get isIdle(): boolean {
    return this.running === undefined
  }

  /** Resolves when the queue is empty. */
  async drained(): Promise<void> {
    await this.running
  }

  private async runAll(): Promise<void> {
    try {
      while (this.waiting.length > 0) {
        await this.gathered()
        await this.commit(this.waiting.splice(0, MAX_PER_COMMIT))
      }
    } finally {
      this.running = undefined
    }
  }

  /**
   * Waits as long as each turn of the event loop brings more units of work, because a longer queue needs
   * fewer commits. A single unit waits for one turn. The queue waits even for more units than fit into one
   * commit. Each turn accepts one new connection, whose unit would otherwise wait for a separate commit.
   */
  private async gathered(): Promise<void> {
    let length = 0
    while (this.waiting.length > length && this.waiting.length < MAX_GATHERED) {
      length = this.waiting.length
      await nextTurn()
    }
  }

  private async commit(jobs: readonly QueuedWork[]): Promise<void> {
    try {
      this.connection.expectInPlace()
      // Changes that a failed rollback has left would keep these units of work from beginning.
      this.undo()
      await this.begin()
      const done = await this.runEach(jobs)
      // Without changes to keep, a commit would only wait for the disk.
      if (done.some(({ kept }) => kept)) await this.keep()
      else this.undo()
      for (const { settle } of done) settle()
    } catch (error) {
      for (const job of jobs) job.fail(error)
      this.undoOrReport()
    }
  }

  /** Seals and commits the changes. */
  private async keep(): Promise<void> {
    const sealed = await this.books?.seal(this.connection, this.connection.unsealed.take())
    this.connection.control('commit')
    this.commits++
    this.books?.publish(sealed)
  }

  /**
   * Rolls back after an error that callers already got. If that fails too, it is only reported, so that
   * other units of work can run.
   */
  private undoOrReport(): void {
    try {
      this.undo()
    } catch (error) {
      this.rollingBack?.failed(error)
    }
  }

  private undo(): void {
    this.connection.unsealed.backTo(0)
    this.connection.insertBuffer.drop()
    if (this.connection.database.inTransaction) this.connection.control('rollback')
    this.rollingBack?.succeeded()
  }

  /**
   * Runs units of work without savepoints, which cost more than most of the work, and writes their new rows
   * together. If a unit that wrote rows is not kept, or rows cannot be written, all run again with
   * savepoints.
   */
  private async runEach(jobs: readonly QueuedWork[]): Promise<JobResult[]> {
    const { insertBuffer } = this.connection
    if (jobs.length > 1) insertBuffer.wait()
    const all: JobResult[] = []
    for (const job of jobs) {
      const written = this.connection.writes
      insertBuffer.nextWork()
      const done = await this.runOne(job)
      if (!done.kept && this.connection.writes > written && jobs.length > 1)
        return await this.runEachApart(jobs)
      all.push(done)
    }
    return insertBuffer.end() ? all : await this.runEachApart(jobs)
  }

  private async runEachApart(jobs: readonly QueuedWork[]): Promise<JobResult[]> {
    this.undo()
    await this.begin()
    const all: JobResult[] = []
    for (const job of jobs) {
      const changed = this.connection.unsealed.count
      this.connection.control('savepoint work')
      const done = await this.runOne(job)
      if (!done.kept) {
        this.connection.control('rollback to work')
        this.connection.unsealed.backTo(changed)
      }
      this.connection.control('release work')
      all.push(done)
    }
    return all
  }

  /**
   * Runs one unit of work. Throws if SQLite has rolled back the transaction, as it does on a full or
   * failing disk. Earlier units of work are then lost, too.
   */
  private async runOne(job: QueuedWork): Promise<JobResult> {
    const done = await job.run(this.connection)
    if (!this.connection.database.inTransaction)
      throw done.error ?? new Error('The transaction was ended by a work')
    return done
  }

  /** Takes the write lock, which another process may hold during its own commit. */
  private async begin(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.connection.control('begin immediate')
      } catch (error) {
        if (attempt === this.attempts || !codeOf(error)?.startsWith('SQLITE_BUSY')) throw error
        await nextTurn()
      }
    }
  }
}
