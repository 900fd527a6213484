import type { Timers } from '../../platform/clock.js'
import type { WorkRunner } from './due-job.js'
import { EndedEarly } from './several-at-once.js'

/** Milliseconds in which a lane must have read or written data. */
const PATIENCE = 10_000

/** Error that ends a lane after the caller stopped waiting; it never leaves this file. */
class LeftBehind extends EndedEarly {}

/**
 * Runs the jobs of a lane as long as they make progress. Returns undefined once no data was read or written
 * for a while, for example when a gateway does not answer. The current step then goes on without the
 * caller, and no other step begins.
 */
export async function runPatiently<T>(
  { read, write }: WorkRunner,
  timers: Timers,
  run: (runner: WorkRunner, stopping: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const leaving = new AbortController()
  let cancel: () => void = () => undefined
  let leave: () => void = () => undefined
  const left = new Promise<undefined>((resolve) => {
    leave = () => resolve(undefined)
  })
  const wait = () => {
    cancel()
    if (leaving.signal.aborted) return
    cancel = timers.after(PATIENCE, () => {
      leaving.abort()
      leave()
    })
  }
  const noting =
    (step: WorkRunner['write']): WorkRunner['write'] =>
    async (work, as) => {
      if (leaving.signal.aborted) throw new LeftBehind()
      try {
        return await step(work, as)
      } finally {
        wait()
      }
    }
  wait()
  const running = run({ read: noting(read), write: noting(write) }, leaving.signal)
  // After the caller has stopped waiting, an error of the run is ignored.
  running.catch(() => undefined)
  try {
    return await Promise.race([running, left])
  } finally {
    cancel()
  }
}
