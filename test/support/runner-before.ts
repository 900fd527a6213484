import type { WorkRunner } from '../../src/engine/jobs/due-job.js'
import type { TestCore } from './core.js'

/** Runner of a core that awaits `read` before each of its reads, and `write` before each of its writes. */
export function runnerBefore(
  { environment: { core } }: TestCore,
  { read, write }: { readonly read?: () => Promise<unknown>; readonly write?: () => Promise<unknown> },
): WorkRunner {
  return {
    read: async (work) => {
      await read?.()
      return await core.read(work)
    },
    write: async (work) => {
      await write?.()
      return await core.write(work)
    },
  }
}
