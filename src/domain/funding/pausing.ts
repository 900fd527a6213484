import type { Doing } from '../../engine/jobs/job.js'

/** Thrown inside of a run to pause it; never leaves it. */
class Paused extends Error {}

/** Runs until so many units of work are done; answers whether that was all there was to do. */
export async function pausing(
  { read, write }: Doing,
  units: number,
  run: (doing: Doing) => Promise<void>,
): Promise<boolean> {
  let left = units
  const doing: Doing = {
    read,
    write: async (job) => {
      if (left === 0) throw new Paused()
      left--
      return await write(job)
    },
  }
  try {
    await run(doing)
    return true
  } catch (error) {
    if (error instanceof Paused) return false
    throw error
  }
}
