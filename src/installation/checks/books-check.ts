import { createPublicKey } from 'node:crypto'
import { checkpointText, lastCheckpoint } from '../../engine/store/books/checkpoint.js'
import { headProblem } from '../../engine/store/books/compare-head.js'
import type { Head, KeyedHash } from '../../engine/store/books/seal-log.js'
import { isSigned, signingKey } from '../../engine/store/books/signing-key.js'
import type { Environment, Tx } from '../../engine/store/database/store.js'
import { type CheckResult, failed, passed } from './check-result.js'

/** Knowledge about the books of an environment from outside its database. */
export interface KnownBooks {
  /** The head file. */
  readonly path: string
  /** Content of the head file before the database was read. */
  readonly head: Head | undefined
  readonly keyed: KeyedHash
}

/** Whether the books match their head file and the last checkpoint is signed by this home; `verify` proves the rest. */
export async function checkBooks(
  tx: Tx,
  environment: Environment,
  { path, head, keyed }: KnownBooks,
): Promise<CheckResult> {
  const check = 'books'
  const problem = await headProblem(tx, path, head)
  if (problem !== undefined) return failed(check, problem, 'payctl restore <folder> --yes')
  const last = await lastCheckpoint(tx)
  if (!last) return passed(check, 'nothing is sealed yet')
  const { id: number, hash, signed_at, signature } = last
  const text = checkpointText({ environment, number, hash, signed_at })
  if (!isSigned(createPublicKey(signingKey(keyed)), text, signature))
    return failed(
      check,
      `checkpoint ${number} is not signed by this home`,
      `payctl verify --env ${environment}`,
    )
  return passed(check, `match their head file, signed at ${signed_at}`)
}
