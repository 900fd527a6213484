import type { WorkRunner } from './due-job.js'
import { EndedEarly } from './several-at-once.js'

/** Error that ends a run after its last allowed unit of work; `runLimited` catches it. */
class LimitReached extends EndedEarly {}

/**
 * Runs `run` until it has written `units` units of work. Returns whether `run` was completed. A failed unit
 * does not count, so that the unit which records the failure can follow. Otherwise the next run would begin
 * with the same failure.
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
