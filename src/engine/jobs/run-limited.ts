import type { WorkRunner } from './due-job.js'
import { EndedEarly } from './several-at-once.js'

/** Ends a run that has used up its units of work; never leaves this file. */
class LimitReached extends EndedEarly {}

/**
 * Runs until `units` units of work are written; answers whether the run came to its end by then. A unit that is refused does not
 * count: what records the refusal follows, without which the next run would begin with the same one.
 */
export async function runLimited(
  { read, write }: WorkRunner,
  units: number,
  run: (runner: WorkRunner) => Promise<void>,
): Promise<boolean> {
  let left = units
  const runner: WorkRunner = {
    read,
    write: async (work, as) => {
      if (left === 0) throw new LimitReached()
      left--
      try {
        return await write(work, as)
      } catch (error) {
        left++
        throw error
      }
    },
  }
  try {
    await run(runner)
    return true
  } catch (error) {
    if (error instanceof LimitReached) return false
    throw error
  }
}
