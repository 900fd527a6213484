import { createPublicKey } from 'node:crypto'
import { tableExists } from '../database/differences.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Environment, Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { checkpointText, firstCheckpoint } from './checkpoint.js'
import { commitProblems } from './commit-problems.js'
import { type KeyedHash, NOTHING_SEALED } from './seal-log.js'
import { isSigned, signingKey } from './signing-key.js'

/**
 * Identity of an environment's log in the key file. A person with access to the database alone cannot
 * change it.
 */
export interface LogIdentity {
  /** Hash of the log's first commit, in hex; undefined until the log has begun. */
  known(): string | undefined
  /** Writes the identity unless the key file already has one: the first process wins. */
  note(first: string): void
  /** Replaces the identity, as `books accept` and `restore` may. */
  replace(first: string): void
}

/** Hash of the first commit in a database's log; undefined if there is none. */
export async function firstHash(tx: Tx): Promise<string | undefined> {
  return (await commit(tx, 1))?.hash
}

/**
 * Problem of a log that differs from the log in the key file, or that was begun with other keys; undefined if
 * none.
 */
export async function identityProblem(
  tx: Tx,
  known: string | undefined,
  begun: { readonly environment: Environment; readonly keyed: KeyedHash },
): Promise<string | undefined> {
  const { environment } = begun
  if (!(await tableExists(tx, 'seal_log'))) return `The sealed log of ${environment} is gone`
  const first = await commit(tx, 1)
  if (known !== undefined) {
    if (!first)
      return `The sealed log of ${environment} is gone: the key file knows that it began with ${short(known)}`
    return first.hash === known
      ? undefined
      : `The sealed log of ${environment} is another one: it begins with ${short(first.hash)}, and the key file knows ${short(known)}`
  }
  return !first || (await isGenuine(tx, first, begun))
    ? undefined
    : `The sealed log of ${environment} was not begun there with this key file`
}

/** Whether the first commit and its checkpoint for the environment were made with the key file. */
async function isGenuine(
  tx: Tx,
  first: SealLogRow,
  { environment, keyed }: { readonly environment: Environment; readonly keyed: KeyedHash },
): Promise<boolean> {
  if (commitProblems(first, NOTHING_SEALED, keyed).length > 0) return false
  const checkpoint = await firstCheckpoint(tx)
  if (!checkpoint) return false
  const { id: number, hash, signed_at, signature } = checkpoint
  const text = checkpointText({ environment, number, hash, signed_at })
  return (
    (await commit(tx, number))?.hash === hash && isSigned(createPublicKey(signingKey(keyed)), text, signature)
  )
}

async function commit(tx: Tx, id: number): Promise<SealLogRow | undefined> {
  const [row] = await tx.run(commitStatement, { id })
  return row
}

function short(hash: string): string {
  return hash.slice(0, 12)
}

const commitStatement: Prepared<{ id: number }, SealLogRow> = prepared((db, param) =>
  db.selectFrom('seal_log').selectAll().where('id', '=', param('id')),
)
