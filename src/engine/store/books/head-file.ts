import { hash } from 'node:crypto'
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { codeOf } from '../../../platform/error-code.js'
import { replaceFile } from '../files/files.js'
import { type Head, NOTHING_SEALED } from './seal-log.js'

/** Number of slots in a head file. Each of the last commits has a slot. */
const SLOTS = 64
const SLOT_BYTES = 128

const dataSynced = promisify(fdatasync)

export function headPath(home: string, environment: string): string {
  return join(home, `${environment}.head`)
}

/** Newest head in a file; undefined if there is no file, or no intact slot in it. */
export function readHead(path: string): Head | undefined {
  let text: string
  try {
    text = readFileSync(path, 'latin1')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
  let head: Head | undefined
  for (let at = 0; at < text.length; at += SLOT_BYTES) {
    const found = readSlot(text.slice(at, at + SLOT_BYTES))
    if (found && found.number >= (head?.number ?? 0)) head = found
  }
  return head
}

/**
 * Creates the head file of a database without sealed commits, unless the file exists. From then on, a missing
 * file is reported as a problem.
 */
export function makeHead(path: string): void {
  if (readHead(path) === undefined) resetHead(path, NOTHING_SEALED)
}

/** Replaces the file by a new one that contains only this head. */
export function resetHead(path: string, head: Head): void {
  replaceFile(path, (draft) => {
    const file = openSync(draft, 'wx', 0o600)
    try {
      writeSync(file, Buffer.alloc(SLOTS * SLOT_BYTES, '\n'))
      writeSlot(file, head)
    } finally {
      closeSync(file)
    }
  })
}

/**
 * Head file that is open for writing. The file is outside the database and records its last sealed commit,
 * so that a truncated database is recognized.
 *
 * Slots are overwritten in place. So several processes need no lock, a slow process overwrites no newer head,
 * and a crash spoils one slot at most.
 */
export class HeadFile {
  private isDirty = false
  private syncing: Promise<void> | undefined

  private constructor(private readonly file: number) {}

  /** Opens the file; creates it if there is none. */
  static open(path: string): HeadFile {
    makeHead(path)
    return new HeadFile(openSync(path, 'r+'))
  }

  /** Whether a path still leads to this file, and not to a file that replaced it. */
  isAt(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(this.file).ino
  }

  write(head: Head): void {
    writeSlot(this.file, head)
    this.isDirty = true
  }

  /** Syncs the file to the disk and blocks the process until done. */
  syncNow(): void {
    fdatasyncSync(this.file)
  }

  /** Resolves when all written heads are on the disk. */
  async sync(): Promise<void> {
    if (!this.isDirty) return
    this.isDirty = false
    this.syncing = dataSynced(this.file)
    await this.syncing
  }

  /**
   * Closes the file after a running sync has ended. An error of that sync is reported to the caller of
   * `sync`.
   */
  async close(): Promise<void> {
    await Promise.allSettled([this.syncing])
    closeSync(this.file)
  }
}

function writeSlot(file: number, head: Head): void {
  writeSync(file, slotText(head), (head.number % SLOTS) * SLOT_BYTES, 'latin1')
}

function slotText({ number, hash: last }: Head): string {
  const content = `${String(number).padStart(16, '0')} ${last}`
  const slot = `${content} ${checksum(content)}`
  return `${slot.padEnd(SLOT_BYTES - 1)}\n`
}

function readSlot(text: string): Head | undefined {
  const [, content, number, last, sum] = /^((\d{16}) ([0-9a-f]{64})) ([0-9a-f]{16}) *\n$/.exec(text) ?? []
  if (content === undefined || last === undefined || checksum(content) !== sum) return undefined
  return { number: Number(number), hash: last }
}

function checksum(content: string): string {
  return hash('sha256', content, 'hex').slice(0, 16)
}
