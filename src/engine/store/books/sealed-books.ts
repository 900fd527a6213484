import type { KeyObject } from 'node:crypto'
import type { Clock, Timers } from '../../../platform/clock.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import type { Environment, Store, Tx } from '../database/store.js'
import { addCheckpoint, CHECKPOINT_COMMITS, lastCheckpoint } from './checkpoint.js'
import { expectKnown } from './compare-head.js'
import { HeadFile, headPath, readHead, resetHead } from './head-file.js'
import { firstHash, type LogIdentity } from './log-identity.js'
import { RetriedStep } from './retried-step.js'
import { appendToLog, type KeyedHash, type LogEnd, lastSealed, type SealedCommits } from './seal-log.js'
import type { Entries } from './sealed-changes.js'
import { SealedControl } from './sealed-control.js'
import { signingKey } from './signing-key.js'

/** Maximum milliseconds until a checkpoint is signed, unless `CHECKPOINT_COMMITS` are reached first. */
const CHECKPOINT_AGE = 60_000
/** Milliseconds until the head file is synced to the disk. */
const SYNC_AFTER = 1_000

export interface BooksOptions {
  readonly home: string
  readonly environment: Environment
  readonly keyed: KeyedHash
  /** Identity of the log in the key file. */
  readonly identity: LogIdentity
  /** Real time, not the environment's movable clock. */
  readonly clock: Clock
  readonly timers: Timers
  /**
   * Whether sealing goes on from the current state of the database, even if the head file and the key file
   * differ from it.
   */
  readonly accepts?: boolean
  /** Called with errors after a commit, when no caller is waiting any more. */
  readonly report: (error: unknown) => void
}

/** Seals the changes of this process in the books of an environment. */
export class SealedBooks {
  /** Compares rows with their newest seals when they are used. */
  readonly control: SealedControl
  private file: HeadFile | undefined
  /** Last commit that this process has sealed. */
  private published: LogEnd | undefined
  /** Hash of the log's first commit, until it is written to the key file. */
  private unnoted: string | undefined
  private key: KeyObject | undefined
  /** Last checkpoint that this process knows: its commit, and the time of its signature in milliseconds. */
  private signed: { readonly number: number; readonly at: number } | undefined
  private cancelSync: (() => void) | undefined
  private cancelSigning: (() => void) | undefined
  /** Runs a separate unit of work, to sign when no other writes follow. */
  private write: Store['write'] | undefined
  private readonly signing: RetriedStep
  private readonly writingHead: RetriedStep
  private readonly syncingHead: RetriedStep

  constructor(readonly options: BooksOptions) {
    const { environment, report, keyed } = options
    this.control = new SealedControl(keyed, environment)
    this.signing = new RetriedStep(`The books of ${environment} could not be signed`, report)
    this.writingHead = new RetriedStep(`The head file of ${environment} could not be written`, report)
    this.syncingHead = new RetriedStep(`The head file of ${environment} could not be synced`, report)
  }

  /**
   * Sets the function for writes of its own, so that the last commits are signed even if no others follow.
   */
  writeWith(write: Store['write']): void {
    this.write = write
  }

  /**
   * Seals entries in the unit of work that changed their rows. Returns the commits, to be published after
   * the unit's commit. Throws a `StoreError` if the database is not the one that the head file knows. That
   * is checked whenever the last commit was not made by this process. Then another process has sealed it,
   * or the database was restored while this process ran.
   */
  async seal(tx: Tx, batches: readonly Entries[]): Promise<SealedCommits | undefined> {
    if (batches.length === 0) return undefined
    const from = await this.expectedEnd(tx)
    const commits: { end: LogEnd; entries: Entries }[] = []
    let end = from
    const append = async (entries: Entries) => {
      end = await appendToLog(tx, end, entries, this.options.keyed)
      commits.push({ end, entries })
      if (end.number === 1) this.unnoted = end.hash
    }
    for (const entries of batches) await append(entries)
    await this.signIfDue(tx, end)
    // The checkpoint's row is sealed as well, by a separate commit.
    for (const entries of tx.unsealed?.take() ?? []) await append(entries)
    return { from, commits }
  }

  /** End of the log that the next commit follows. Throws as `seal` does. */
  private async expectedEnd(tx: Tx): Promise<LogEnd> {
    const end = await lastSealed(tx)
    if (isSame(end, this.published)) return end
    await this.compare(tx)
    if (!this.options.accepts) await this.control.expectGenuine(tx, end)
    return end
  }

  /**
   * Writes a committed head into the head file; from then on, a database that has not reached it is
   * refused. Never throws, because the caller must still be able to answer the committed request.
   */
  publish(sealed: SealedCommits | undefined): void {
    const head = sealed?.commits.at(-1)?.end
    if (!sealed || !head) return
    this.published = head
    this.control.follow(sealed)
    const { accepts, home, environment } = this.options
    if (accepts) {
      this.writeHead(() => resetHead(headPath(home, environment), head))
      this.noteLog()
      return
    }
    const { file } = this
    if (!file) return
    // If this fails, the older head in the file is still valid.
    this.writeHead(() => file.write(head))
    this.noteLog()
    if (sealed.commits.some(({ entries }) => !isOfCheckpoints(entries))) this.signLater()
    this.cancelSync ??= this.options.timers.after(SYNC_AFTER, () => {
      this.cancelSync = undefined
      this.file?.sync().then(
        () => this.syncingHead.succeeded(),
        (error: unknown) => this.syncingHead.failed(error),
      )
    })
  }

  /** Schedules a signature for the last commits, in case no others follow. */
  private signLater(): void {
    const { write } = this
    if (!write) return
    this.cancelSigning ??= this.options.timers.after(CHECKPOINT_AGE, () => {
      this.cancelSigning = undefined
      write((tx) => this.sign(tx)).then(
        () => this.signing.succeeded(),
        (error: unknown) => this.signing.failed(error),
      )
    })
  }

  /** Writes the identity of the log to the key file. A failure is reported; the next process tries again. */
  private noteLog(): void {
    const { unnoted, options } = this
    if (unnoted === undefined) return
    this.unnoted = undefined
    try {
      if (options.accepts) options.identity.replace(unnoted)
      else {
        // Afterwards a missing head file counts as a problem, so it must be on the disk first.
        this.file?.syncNow()
        options.identity.note(unnoted)
      }
    } catch (error) {
      options.report(
        new Error(`The log of ${options.environment} could not be noted in the key file`, { cause: error }),
      )
    }
  }

  private writeHead(write: () => void): void {
    try {
      write()
      this.writingHead.succeeded()
    } catch (error) {
      this.writingHead.failed(error)
    }
  }

  async close(): Promise<void> {
    this.cancelSync?.()
    this.cancelSigning?.()
    await this.file?.sync()
    await this.file?.close()
    this.file = undefined
  }

  /** Signs the last commit, unless it is signed. Throws as `seal` does. */
  async sign(tx: Tx): Promise<void> {
    const head = await this.expectedEnd(tx)
    if (head.number > 0) await this.addCheckpoint(tx, head)
  }

  /**
   * Opens the head file if it is not open yet or was replaced. Throws a `StoreError` unless the log is the
   * one in the key file and has reached the head in the head file.
   */
  async compare(tx: Tx): Promise<void> {
    const { accepts, home, environment, identity, keyed } = this.options
    const path = headPath(home, environment)
    const log = identity.known()
    if (!accepts) await expectKnown(tx, { environment, path, head: readHead(path), log, keyed })
    const first = await firstHash(tx)
    this.unnoted = first === log ? undefined : first
    if (accepts || this.file?.isAt(path)) return
    const before = this.file
    this.file = HeadFile.open(path)
    await before?.close()
  }

  private async signIfDue(tx: Tx, head: LogEnd): Promise<void> {
    this.signed ??= await knownCheckpoint(tx)
    const { number, at } = this.signed
    const isDue =
      head.number - number >= CHECKPOINT_COMMITS || this.options.clock.now() - at >= CHECKPOINT_AGE
    if (isDue) await this.addCheckpoint(tx, head)
  }

  private async addCheckpoint(tx: Tx, { number, hash }: LogEnd): Promise<void> {
    this.key ??= signingKey(this.options.keyed)
    const now = this.options.clock.now()
    const { environment } = this.options
    await addCheckpoint(tx, { number, hash, environment, signed_at: datetimeOf(now) }, this.key)
    this.signed = { number, at: now }
  }
}

function isSame(end: LogEnd, other: LogEnd | undefined): boolean {
  return end.number === other?.number && end.hash === other.hash && end.control === other.control
}

/** Whether the entries seal only checkpoints; these need no further checkpoint. */
function isOfCheckpoints({ names }: Entries): boolean {
  return names.split('\n').every((name) => name.startsWith('checkpoint '))
}

async function knownCheckpoint(tx: Tx): Promise<{ number: number; at: number }> {
  const last = await lastCheckpoint(tx)
  return last ? { number: last.id, at: millisecondsOf(last.signed_at) } : { number: 0, at: 0 }
}
