import { headPath, readHead } from '../engine/store/books/head-file.js'
import type { Environment } from '../engine/store/database/store.js'
import { StoreError, type StoreProblem } from '../engine/store/database/store-error.js'
import { openToExamine, type StoreOptions } from '../engine/store/open-store.js'
import { keyFilePath, readKeyFile } from '../engine/store/vault/key-file.js'

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
  const { home, environment } = options
  try {
    const store = await openToExamine(options)
    await store?.close()
    if (store) return []
  } catch (error) {
    if (error instanceof StoreError && SHOWN.has(error.problem))
      return [{ check: 'schema', id: environment, problem: error.message }]
    throw error
  }
  const problem = goneProblem(home, environment)
  return problem === undefined ? 'unused' : [{ check: 'sealed books', id: environment, problem }]
}

/** Problems of the database itself, not of the access to it. */
const SHOWN: ReadonlySet<StoreProblem> = new Set([
  'corrupt',
  'newer_version',
  'older_version',
  'other_layout',
])

/**
 * Problem of an environment whose database is missing although the home has records of a database; undefined if there
 * never was a database.
 */
export function goneProblem(home: string, environment: Environment): string | undefined {
  const known = `The database of ${environment} is gone, and`
  if (logs(home)?.has(environment)) return `${known} the key file knows the log of its books`
  const path = headPath(home, environment)
  return (readHead(path)?.number ?? 0) > 0 ? `${known} its head file ${path} is there` : undefined
}

/** Identities of the logs in the key file; undefined without a key file. */
function logs(home: string): ReadonlyMap<string, string> | undefined {
  try {
    return readKeyFile(keyFilePath(home)).logs
  } catch (error) {
    if (error instanceof StoreError && error.problem === 'key_missing') return undefined
    throw error
  }
}
