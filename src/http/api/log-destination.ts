import { constants, fstatSync, openSync, write } from 'node:fs'
import type { DestinationStream } from 'pino'
import { systemTimers, type Timers } from '../../platform/clock.js'
import { codeOf } from '../../platform/error-code.js'

/** Maximum number of bytes that wait to be written; lines beyond that are dropped. */
const MAX_WAITING = 1024 * 1024
/** Maximum number of bytes written at once. */
const MAX_CHUNK = 64 * 1024
/** Milliseconds until the next attempt after a failure. */
const RETRY_AFTER = 250
const RETRY_FULL_PIPE_AFTER = 20

interface LogDestinationOptions {
  /** File descriptor; 2 (stderr) by default. */
  readonly descriptor?: number
  readonly maxWaiting?: number
  readonly timers?: Timers
}

/**
 * Writes log lines one after the other, without ever blocking the process. On a full disk, or into a pipe without a
 * reader, lines wait up to a limit. Beyond the limit, lines are dropped and counted; `onDropped` is called when lines
 * can be written again. No failure stops the service: payments continue without a log.
 */
export class LogDestination implements DestinationStream {
  private lines: Buffer[] = []
  private waiting = 0
  private dropped = 0
  /** The rest of the chunk that is being written. */
  private chunk: Buffer | undefined
  /** True until every line is written. */
  private isWriting = false
  /** Function that makes the next attempt at once; set between a failure and the next attempt. */
  private retryNow: (() => void) | undefined
  private descriptor: number | undefined
  private flushing: (() => void)[] = []
  private readonly maxWaiting: number
  private readonly timers: Timers

  /** Called with the number of dropped lines. */
  onDropped: (lines: number) => void = () => undefined

  constructor(private readonly options: LogDestinationOptions = {}) {
    this.maxWaiting = options.maxWaiting ?? MAX_WAITING
    this.timers = options.timers ?? systemTimers
  }

  write(line: string): void {
    const bytes = Buffer.from(withoutControls(line))
    if (this.waiting + bytes.length > this.maxWaiting) {
      this.dropped++
      return
    }
    this.lines.push(bytes)
    this.waiting += bytes.length
    if (!this.isWriting) this.writeNext()
  }

  /** Calls `done` when all lines are written, or none can be written for now. */
  flush(done: () => void): void {
    if (this.waiting === 0) {
      done()
      return
    }
    this.flushing.push(done)
    this.retryNow?.()
  }

  private writeNext(): void {
    const chunk = this.chunk ?? this.nextChunk()
    this.chunk = chunk
    this.isWriting = chunk !== undefined
    if (!chunk) {
      this.flushed()
      return
    }
    this.descriptor ??= openedWithoutBlocking(this.options.descriptor ?? 2)
    write(this.descriptor, chunk, 0, chunk.length, null, (error, written) => {
      if (error) this.retryLater(codeOf(error) === 'EAGAIN' ? RETRY_FULL_PIPE_AFTER : RETRY_AFTER)
      else this.wrote(chunk, written)
    })
  }

  private wrote(chunk: Buffer, written: number): void {
    this.waiting -= written
    this.chunk = written < chunk.length ? chunk.subarray(written) : undefined
    const { dropped } = this
    if (dropped > 0 && this.waiting <= this.maxWaiting / 2) {
      this.dropped = 0
      this.onDropped(dropped)
    }
    this.writeNext()
  }

  private retryLater(milliseconds: number): void {
    const retry = () => {
      this.retryNow = undefined
      cancel()
      this.writeNext()
    }
    const cancel = this.timers.after(milliseconds, retry)
    this.retryNow = retry
    this.flushed()
  }

  private nextChunk(): Buffer | undefined {
    let [bytes, count] = [0, 0]
    for (const line of this.lines) {
      if (count > 0 && bytes + line.length > MAX_CHUNK) break
      bytes += line.length
      count++
    }
    return count === 0 ? undefined : Buffer.concat(this.lines.splice(0, count), bytes)
  }

  private flushed(): void {
    for (const done of this.flushing.splice(0)) done()
  }
}

/**
 * Escapes the characters of a JSON line that control a terminal or the direction of text; gateways and databases may
 * send them. JSON itself has escaped the control characters below U+0020.
 */
function withoutControls(line: string): string {
  return line.replace(
    /[\u007f-\u009f\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/**
 * Reopens a pipe or terminal in non-blocking mode, because a write to a full pipe would block a thread forever. Other
 * processes that share it are not affected. Files do not block for long; a descriptor that cannot be reopened is used
 * unchanged.
 */
function openedWithoutBlocking(descriptor: number): number {
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFIFO() && !stat.isCharacterDevice()) return descriptor
    return openSync(`/dev/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  } catch {
    return descriptor
  }
}
