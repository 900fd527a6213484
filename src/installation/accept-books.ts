import { recordAcceptance } from '../engine/store/books/books-acceptance.js'
import { headProblem } from '../engine/store/books/compare-head.js'
import { headPath } from '../engine/store/books/head-file.js'
import { openStore, type StoreOptions } from '../engine/store/open-store.js'
import type { Clock } from '../platform/clock.js'
import { timeOrderedIds } from '../platform/ids.js'
import { datetimeOf } from '../schema/datetime.js'
import { InstallationError } from './installation-error.js'

/**
 * Accepts the books of an environment as they are, although they do not match their head file, and seals that with the
 * reason. Returns what was wrong. Throws an `InstallationError` if nothing was.
 */
export async function acceptBooks(
  options: StoreOptions & { readonly clock: Clock },
  reason: string,
): Promise<{ id: string; problem: string }> {
  const { home, environment, clock, random } = options
  const store = await openStore({ ...options, acceptsBooks: true })
  try {
    return await store.write(async (tx) => {
      const problem = await headProblem(tx, headPath(home, environment))
      if (problem === undefined)
        throw new InstallationError(`The books of ${environment} match their head file: nothing to accept.`)
      const id = timeOrderedIds(clock, random).next('bacc_')
      await recordAcceptance(tx, { id, reason, problem, accepted_at: datetimeOf(clock.now()) })
      return { id, problem }
    })
  } finally {
    await store.close()
  }
}
