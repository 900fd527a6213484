import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes in use after garbage collection. */
export interface Memory {
  readonly heap: number
  /** Resident memory of the process, including native code. */
  readonly resident: number
}

export async function memory(): Promise<Memory> {
  setFlagsFromString('--expose-gc')
  const collect: (options: object) => void = runInNewContext('gc')
  for (let n = 0; n < 3; n++) {
    // Only this kind returns unused memory of the heap to the system, so that a peak does not look like a leak.
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    // Wait for the next turn of the event loop, in which memory of this turn can be freed.
    await new Promise(setImmediate)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, resident: rss }
}
