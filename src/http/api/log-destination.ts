import { constants, fstatSync, openSync, write } from 'node:fs'
import type { DestinationStream } from 'pino'
import { systemTimers, type Timers } from '../../platform/clock.js'
import { codeOf } from '../../platform/error-code.js'

/** Bytes that wait until they can be written; lines beyond that are dropped. */
const MAX_WAITING = 1024 * 1024
/** Bytes that are written at once. */
const MAX_CHUNK = 64 * 1024
/** Milliseconds until it is tried again after a failure. */
const RETRY_AFTER = 250
const RETRY_FULL_PIPE_AFTER = 20

interface LogDestinationOptions {
  /** 2 unless given. */
  readonly descriptor?: number
  readonly maxWaiting?: number
  readonly timers?: Timers
}

/**
 * Where log lines go: written one after the other without ever blocking the process. On a full disk, or into a pipe that
 * nobody reads, lines wait up to a limit; what comes then is dropped and counted, and `onDropped` hears of it once
 * lines can be written again. A failure ends nothing: the log is of no use to whoever pays.
 */
export class LogDestination implements DestinationStream {
  private lines: Buffer[] = []
  private waiting = 0
  private dropped = 0
  /** What is left of the chunk that is being written. */
  private chunk: Buffer | undefined
  /** From a line that is written until none is left. */
  private isWriting = false
  /** After a failure, until it is tried again. */
  private retryNow: (() => void) | undefined
  private descriptor: number | undefined
  private flushing: (() => void)[] = []
  private readonly maxWaiting: number
  private readonly timers: Timers

  /** Called with how many lines were dropped. */
  onDropped: (lines: number) => void = () => undefined

  constructor(private readonly options: LogDestinationOptions = {}) {
    this.maxWaiting = options.maxWaiting ?? MAX_WAITING
    this.timers = options.timers ?? systemTimers
  }

  write(line: string): void {
    const bytes = Buffer.from(line)
    if (this.waiting + bytes.length > this.maxWaiting) {
      this.dropped++
      return
    }
    this.lines.push(bytes)
    this.waiting += bytes.length
    if (!this.isWriting) this.writeNext()
  }

  /** Calls back when everything is written, or cannot be for now. */
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
      callOff()
      this.writeNext()
    }
    const callOff = this.timers.after(milliseconds, retry)
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
 * A pipe or terminal is opened once more, as a full one would block a thread for good; other processes that share it
 * are not concerned. Files never block for long, and what cannot be opened again is written as it is.
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
