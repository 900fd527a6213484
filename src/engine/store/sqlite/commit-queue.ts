import { setImmediate as nextTurn } from 'node:timers/promises'
import { codeOf } from '../../../platform/error-code.js'
import { RetriedStep } from '../books/retried-step.js'
import type { SealedBooks } from '../books/sealed-books.js'
import type { Tx, WriteOptions } from '../database/store.js'
import type { SqliteConnection } from './sqlite-connection.js'

/** Works that share a commit at most, so that the first of them does not wait for too many others. */
const MAX_PER_COMMIT = 128
/** Works for which no more turns are waited, however many come. */
const MAX_GATHERED = 8 * MAX_PER_COMMIT
/** How often a commit that finds the database locked by another process begins again; each waits on the lock too. */
const ATTEMPTS = 100

interface QueuedWork {
  /** Runs the work; the result settles the caller's promise once the commit is durable. */
  run(tx: Tx): Promise<JobResult>
  fail(error: unknown): void
}
interface JobResult {
  /** Whether its changes are to be committed. */
  readonly kept: boolean
  readonly error?: unknown
  settle(): void
}

/**
 * Group commit: works wait in a queue; those that came during the same turn of the event loop run one after another in
 * one transaction, and their promises settle after the one durable commit. A work that fails may run twice.
 */
export class CommitQueue {
  private readonly waiting: QueuedWork[] = []
  private running: Promise<void> | undefined
  /** How many commits there have been: a read compares it to see whether its snapshot is older. */
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

  /** Whether nobody waits for a commit. */
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
   * Waits while every turn of the event loop brings more works: the longer the queue, the fewer commits wait for the
   * disk. A work that comes alone waits for one turn. More than fit into one commit are waited for as well: a turn takes
   * one new connection, which would wait for a commit each otherwise.
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
      // What could not be rolled back before would keep these works from beginning.
      this.undo()
      await this.begin()
      const done = await this.runEach(jobs)
      // When nothing is kept there is nothing to wait for the disk for, which a commit would do.
      if (done.some(({ kept }) => kept)) await this.keep()
      else this.undo()
      for (const { settle } of done) settle()
    } catch (error) {
      for (const job of jobs) job.fail(error)
      this.undoOrReport()
    }
  }

  /** Commits what the works have changed, sealed. */
  private async keep(): Promise<void> {
    const sealed = await this.books?.seal(this.connection, this.connection.unsealed.take())
    this.connection.control('commit')
    this.commits++
    this.books?.publish(sealed)
  }

  /** For works that were told of another error. Where nothing can be rolled back, others still wait for their turn. */
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
   * Runs works without savepoints, which cost more than most works do, and writes their new rows together. When one that
   * wrote is not kept, or rows cannot be written, all of them run again, each in its own.
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

  /** A full or failing disk makes SQLite roll back by itself, and the works before this one with it. */
  private async runOne(job: QueuedWork): Promise<JobResult> {
    const done = await job.run(this.connection)
    if (!this.connection.database.inTransaction)
      throw done.error ?? new Error('The transaction was ended by a work')
    return done
  }

  /** Takes the right to write, which another process may hold for the length of its own commit. */
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
