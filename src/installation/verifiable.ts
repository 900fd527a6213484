import type { Environment } from '../engine/store/database/store.js'
import { StoreError, type StoreProblem } from '../engine/store/database/store-error.js'
import { goneBooks } from '../engine/store/gone-books.js'
import { openToExamine, type StoreOptions } from '../engine/store/open-store.js'

/** Finding of `payctl verify` about a database as a whole. */
interface Obstacle {
  readonly check: 'schema' | 'sealed books'
  readonly id: Environment
  readonly problem: string
}

/**
 * Whether an environment's database can be checked: `unused` if there never was a database, otherwise the findings that
 * prevent the checks. Throws a `StoreError` if the database or the key file cannot be read now.
 */
export async function verifiable(
  options: Omit<StoreOptions, 'random'>,
): Promise<'unused' | readonly Obstacle[]> {
  const { environment } = options
  try {
    const store = await openToExamine(options)
    await store?.close()
    if (store) return []
  } catch (error) {
    if (error instanceof StoreError && SHOWN.has(error.problem))
      return [{ check: 'schema', id: environment, problem: error.message }]
    throw error
  }
  const problem = goneBooks(options)
  return problem === undefined ? 'unused' : [{ check: 'sealed books', id: environment, problem }]
}

/** Problems of the database itself, not of the access to it. */
const SHOWN: ReadonlySet<StoreProblem> = new Set([
  'corrupt',
  'newer_version',
  'older_version',
  'other_layout',
])
