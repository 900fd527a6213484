import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { UsageError } from '../failure/failure.js'

/** Characters that are gathered before they are written. */
const LOT = 65_536

/**
 * A file that is written beside the place that it gets when it is whole, so that nobody ever finds half of it. Open to
 * its owner only, as rows may hold card numbers.
 */
export class Draft {
  private readonly file: number
  private waiting: string[] = []
  private length = 0
  private readonly draft: string
  /** Whether anything was written below the header. */
  lines = 0

  constructor(
    readonly path: string,
    header: string,
  ) {
    this.draft = `${path}.part`
    this.file = openedDraft(this.draft)
    this.gather(header)
  }

  add(line: string): void {
    this.lines++
    this.gather(line)
  }

  /** Gives the file its name; what has the name and says something else is kept beside it if told so. */
  publish(keepOld = false): void {
    this.flush()
    fsyncSync(this.file)
    closeSync(this.file)
    if (keepOld && this.differs()) renameSync(this.path, `${this.path}.bak`)
    renameSync(this.draft, this.path)
  }

  private differs(): boolean {
    return existsSync(this.path) && !readFileSync(this.path).equals(readFileSync(this.draft))
  }

  drop(): void {
    closeSync(this.file)
    rmSync(this.draft, { force: true })
  }

  private gather(text: string): void {
    this.waiting.push(text)
    this.length += text.length
    if (this.length >= LOT) this.flush()
  }

  private flush(): void {
    writeSync(this.file, this.waiting.join(''))
    this.waiting = []
    this.length = 0
  }
}

function openedDraft(path: string): number {
  try {
    rmSync(path, { force: true })
    return openSync(path, 'w', 0o600)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
    throw new UsageError(`The file ${path} cannot be written (${error.code}); name another folder with --out`)
  }
}
