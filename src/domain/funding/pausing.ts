import type { WorkRunner } from '../../engine/jobs/job.js'

/** Thrown inside of a run to pause it; never leaves it. */
class Paused extends Error {}

/** Runs until so many units of work are done; answers whether that was all there was to do. */
export async function pausing(
  { read, write }: WorkRunner,
  units: number,
  run: (runner: WorkRunner) => Promise<void>,
): Promise<boolean> {
  let left = units
  const runner: WorkRunner = {
    read,
    write: async (job) => {
      if (left === 0) throw new Paused()
      left--
      return await write(job)
    },
  }
  try {
    await run(runner)
    return true
  } catch (error) {
    if (error instanceof Paused) return false
    throw error
  }
}
