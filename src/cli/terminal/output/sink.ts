import type { Writable } from 'node:stream'

/** Where an output goes, piece by piece. */
export interface Sink {
  /** Hands text on, and waits while the reader is behind. Answers false when nobody reads any more. */
  write(text: string): Promise<boolean>
  /** After the last piece; `isWhole` is false when it was cut short. */
  close(isWhole: boolean): Promise<void>
}

/** A stream whose reader may leave at any time, as `head` does. Whose stream it is tells what else goes wrong with it. */
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
