import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { UsageError } from '../failure/failure.js'
import { UnwrittenResults } from '../failure/unwritten-output.js'

/** Characters that are buffered before they are written. */
const BATCH_SIZE = 65_536

/**
 * A file that is written under another name and renamed when complete, so that no reader finds half of it. Only the
 * owner of the file can read it, because rows may contain card numbers. Each process has its own draft, because several
 * processes may run the same batch.
 */
export class ResultsDraft {
  private readonly file: number
  private waiting: string[] = []
  private length = 0
  private readonly draft: string
  private state: 'open' | 'complete' | 'broken' = 'open'
  /** Number of lines below the header. */
  lines = 0

  constructor(
    readonly path: string,
    header: string,
  ) {
    this.draft = join(dirname(path), `${draftsOf(path)}${process.pid}.part`)
    this.file = openedDraft(this.draft, path)
    this.append(header)
  }

  /** Adds a text that has this number of lines. */
  add(text: string, lines: number): void {
    this.lines += lines
    this.append(text)
  }

  /**
   * Writes the buffered rest and closes the file. Throws `UnwrittenResults` if the file cannot be written
   * completely.
   */
  complete(): void {
    this.flush()
    this.written(() => fsyncSync(this.file))
    this.state = 'complete'
    closeSync(this.file)
  }

  /** Gives the complete file its name. With `keepOld`, a different file of that name is kept as `.bak`. */
  publish(keepOld = false): void {
    if (keepOld) this.keepOld()
    renameSync(this.draft, this.path)
  }

  /** Renames a different old file to `.bak`. Another process may rename or remove the old file in the meantime. */
  private keepOld(): void {
    try {
      if (!readFileSync(this.path).equals(readFileSync(this.draft))) renameSync(this.path, `${this.path}.bak`)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  drop(): void {
    if (this.state !== 'complete') closeSync(this.file)
    rmSync(this.draft, { force: true })
  }

  private append(text: string): void {
    this.waiting.push(text)
    this.length += text.length
    if (this.length >= BATCH_SIZE) this.flush()
  }

  private flush(): void {
    // `writeSync` is not used: on a full disk it may write a part of the text without an error.
    this.written(() => writeFileSync(this.file, this.waiting.join('')))
    this.waiting = []
    this.length = 0
  }

  /** Runs a write. After a failed write the draft lacks a piece, so every later write fails, too. */
  private written(write: () => void): void {
    try {
      if (this.state === 'broken') throw new Error('an earlier write failed')
      write()
    } catch (error) {
      this.state = 'broken'
      throw new UnwrittenResults(this.path, error)
    }
  }
}

/** Beginning of the names of this machine's drafts of a file; the id of the process follows. */
function draftsOf(path: string): string {
  return `.${basename(path)}.${hostname()}.`
}

function openedDraft(draft: string, path: string): number {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw isFolder(path)
    removeAbandoned(path)
    rmSync(draft, { force: true })
    return openSync(draft, 'wx', 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(
      `The file ${draft} cannot be written (${error.code}); name another folder with --out`,
    )
  }
}

/**
 * Error for a path that is a folder. Reported early, because otherwise renaming the draft would fail only
 * after all rows.
 */
function isFolder(path: string): UsageError {
  return new UsageError(`The file ${path} cannot be written: it is a folder; name another one with --out`)
}

/** Removes drafts of killed processes of this machine, which no process would finish. */
function removeAbandoned(path: string): void {
  const start = draftsOf(path)
  for (const name of readdirSync(dirname(path))) {
    const writer = name.startsWith(start) ? /^(\d+)\.part$/.exec(name.slice(start.length))?.[1] : undefined
    if (writer !== undefined && !isRunning(Number(writer))) rmSync(join(dirname(path), name), { force: true })
  }
}

function isRunning(writer: number): boolean {
  try {
    process.kill(writer, 0)
    return true
  } catch (error) {
    // Any error but "no such process" means that the process exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
