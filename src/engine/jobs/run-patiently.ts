import type { Timers } from '../../platform/clock.js'
import type { WorkRunner } from './due-job.js'
import { EndedEarly } from './several-at-once.js'

/** Milliseconds in which a lane must have read or written something. */
const PATIENCE = 10_000

/** Ends a lane that is not waited for any more; never leaves this file. */
class LeftBehind extends EndedEarly {}

/**
 * Runs the jobs of a lane as long as they get on. Returns undefined once nothing was read or written for a while, as
 * when a gateway does not answer: what is under way goes on to its end without the caller, and nothing else begins.
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
  // Once it is left behind, nobody waits for its error.
  running.catch(() => undefined)
  try {
    return await Promise.race([running, left])
  } finally {
    cancel()
  }
}
