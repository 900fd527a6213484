import { RetriedStep } from '../books/retried-step.js'
import type { SealedCommits } from '../books/seal-log.js'
import { MAX_TAKEN, takeQueued } from '../books/seal-queue.js'
import type { SealedBooks } from '../books/sealed-books.js'
import { waitForName } from '../database/differences.js'
import type { Store, Tx } from '../database/store.js'
import { StoreError } from '../database/store-error.js'

/**
 * Milliseconds from a commit until the commit is sealed, followed by the milliseconds until a retry after a
 * failure.
 */
const DELAY = 400
const RETRY = 1_000

/**
 * Seals entries of the queue shortly after their commits. Transactions run in parallel here; a chain of
 * commits would make each transaction wait for the previous one. One process at a time seals for all of them.
 */
export class QueueSealer {
  private callOff: (() => void) | undefined
  private running: Promise<void> | undefined
  /** Whether a commit has followed since sealing began. */
  private isMore = false
  private isCompared = false
  /** Reason why sealing is impossible: the books are not those that the head file knows. */
  private refusal: StoreError | undefined
  private readonly sealing: RetriedStep

  constructor(
    private readonly books: SealedBooks,
    private readonly write: Store['write'],
  ) {
    const { environment, report } = books.options
    this.sealing = new RetriedStep(`What was committed in ${environment} could not be sealed`, report)
  }

  /**
   * Throws a `StoreError` if the changes of a unit of work could not be sealed, so that they are not
   * committed.
   */
  async expectSealable(tx: Tx): Promise<void> {
    if (!this.isCompared) {
      await this.books.compare(tx)
      this.isCompared = true
    }
    if (this.refusal) throw this.refusal
  }

  /** Schedules sealing after a commit. */
  sealSoon(delay = DELAY): void {
    if (this.running !== undefined) this.isMore = true
    else
      this.callOff ??= this.books.options.timers.after(delay, () => {
        this.callOff = undefined
        this.running = this.run()
      })
  }

  /** Seals the remaining commits of this process and closes the books. */
  async close(): Promise<void> {
    const isLeft = this.cancel()
    await this.running
    // A commit during the run has scheduled sealing again.
    const isMore = this.cancel()
    // Entries that cannot be sealed now stay in the queue for the next process.
    if (isLeft || isMore) await this.sealAll().catch((error: unknown) => this.sealing.failed(error))
    await this.books.close()
  }

  /** Cancels scheduled sealing. Returns whether it was scheduled. */
  private cancel(): boolean {
    const isDue = this.callOff !== undefined
    this.callOff?.()
    this.callOff = undefined
    return isDue
  }

  private async run(): Promise<void> {
    this.isMore = false
    let failed = false
    try {
      await this.sealAll()
      this.refusal = undefined
      this.sealing.succeeded()
    } catch (error) {
      failed = true
      this.sealing.failed(error)
      if (error instanceof StoreError && error.problem === 'books_differ') this.refusal = error
    }
    this.running = undefined
    if (failed || this.isMore) this.sealSoon(failed ? RETRY : DELAY)
  }

  /**
   * Seals all queued entries. Entries committed in the meantime are sealed in a later run, with those that
   * follow.
   */
  private async sealAll(): Promise<void> {
    for (let count = MAX_TAKEN; count === MAX_TAKEN; ) {
      const sealed = await this.write((tx) => this.sealOnce(tx), { patient: true })
      this.books.publish(sealed.commits)
      count = sealed.count
    }
  }

  private async sealOnce(tx: Tx): Promise<{ commits: SealedCommits | undefined; count: number }> {
    await waitForName(tx, `sealed books of ${this.books.options.environment}`)
    const { batches, count } = await takeQueued(tx, this.books.options.keyed)
    return { commits: await this.books.seal(tx, batches), count }
  }
}
