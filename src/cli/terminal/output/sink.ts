import type { Writable } from 'node:stream'
import { setImmediate, setTimeout } from 'node:timers/promises'

/** Target of an output, written piece by piece. */
export interface Sink {
  /** Writes text, and waits while the reader is slow. Resolves to false if the reader has stopped. */
  write(text: string): Promise<boolean>
  /** Called after the last piece; `isWhole` is false if the output was cut short. */
  close(isWhole: boolean): Promise<void>
}

/** A stream whose reader may stop at any time, as `head` does. It does not report errors of the stream. */
export function streamSink(stream: Writable): Sink {
  let gone = false
  let wake: (() => void) | undefined
  const goOn = () => wake?.()
  const leave = () => {
    gone = true
    goOn()
  }
  stream.on('error', leave).on('close', leave).on('drain', goOn)
  return {
    async write(text) {
      if (!gone && text !== '' && !stream.write(text))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return !gone
    },
    async close() {
      stream.off('error', leave).off('close', leave).off('drain', goOn)
    },
  }
}

/** A sink that can find out at the end whether the reader has stopped. */
export interface WatchedSink extends Sink {
  /**
   * Writes the text that was held back. Resolves to false if the reader has stopped. With `waits`, it first
   * gives a reader such as `head` time to end.
   */
  isRead(waits: boolean): Promise<boolean>
}

const READER_MS = 100

/** Holds back the last character of the output: only a write shows that the reader has stopped. */
export function watchedSink(sink: Sink): WatchedSink {
  let held = ''
  return {
    async write(text) {
      if (text === '') return await sink.write('')
      const before = held + text.slice(0, -1)
      held = text.slice(-1)
      return await sink.write(before)
    },
    async isRead(waits) {
      if (waits) await setTimeout(READER_MS)
      await sink.write(held)
      held = ''
      // A broken pipe is reported after the write.
      await setImmediate()
      return await sink.write('')
    },
    async close(isWhole) {
      if (held !== '') await sink.write(held)
      await sink.close(isWhole)
    },
  }
}
