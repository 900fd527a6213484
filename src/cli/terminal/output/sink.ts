import type { Writable } from 'node:stream'

/** Where an output goes, piece by piece. */
export interface Sink {
  /** Writes text, and waits while the reader is behind. Resolves to false when nobody reads any more. */
  write(text: string): Promise<boolean>
  /** Called after the last piece; `isWhole` is false when the output was cut short. */
  close(isWhole: boolean): Promise<void>
}

/** A stream whose reader may stop at any time, as `head` does. Other errors are left to the stream's owner. */
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
