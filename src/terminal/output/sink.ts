import type { Writable } from 'node:stream'

/** Where an output goes, piece by piece. */
export interface Sink {
  /** Hands text on, and waits while the reader is behind. Answers false when nobody reads any more. */
  write(text: string): Promise<boolean>
  /** After the last piece; `isWhole` is false when it was cut short. */
  close(isWhole: boolean): Promise<void>
}

/** A stream whose reader may leave at any time, as `head` does. Throws what else goes wrong with it, as a full disk. */
export function streamSink(stream: Writable): Sink {
  let gone = false
  let failure: NodeJS.ErrnoException | undefined
  let wake: (() => void) | undefined
  const leave = (error?: NodeJS.ErrnoException) => {
    gone = true
    if (error && error.code !== 'EPIPE') failure = error
    wake?.()
  }
  stream
    .on('error', leave)
    .on('close', () => leave())
    .on('drain', () => wake?.())
  return {
    async write(text) {
      if (!gone && text !== '' && !stream.write(text))
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      if (failure) throw failure
      return !gone
    },
    close: async () => undefined,
  }
}
