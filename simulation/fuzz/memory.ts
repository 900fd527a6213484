import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes that are in use after all that could be freed is freed. */
export interface Memory {
  readonly heap: number
  /** All of the process, with what native code holds. */
  readonly resident: number
}

export async function memory(): Promise<Memory> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let n = 0; n < 3; n++) {
    collect()
    // What waits for the end of its turn is freed in the next.
    await new Promise(setImmediate)
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  return { heap: heapUsed + external, resident: rss }
}
