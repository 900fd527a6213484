import { createPublicKey } from 'node:crypto'
import { checkpointText, lastCheckpoint } from '../../engine/store/books/checkpoint.js'
import { acceptCommand, booksProblem, type KnownBooks } from '../../engine/store/books/compare-head.js'
import { firstHash } from '../../engine/store/books/log-identity.js'
import { isSigned, signingKey } from '../../engine/store/books/signing-key.js'
import type { Tx } from '../../engine/store/database/store.js'
import { type CheckResult, failed, passed, restoreFix, warning } from './check-result.js'

/**
 * Checks that the books match the key file and the head file, and that this home signed the last
 * checkpoint. `payctl verify` checks everything else.
 */
export async function checkBooks(tx: Tx, known: KnownBooks): Promise<CheckResult> {
  const check = 'books'
  const { environment, path, head, keyed } = known
  const problem = await booksProblem(tx, known)
  if (problem !== undefined) {
    const found = `${problem}; if you restored this backup, ${acceptCommand(environment)}`
    return failed(check, found, restoreFix(tx.dialect))
  }
  const last = await lastCheckpoint(tx)
  if (!last)
    return (await firstHash(tx)) === undefined
      ? passed(check, 'nothing is sealed yet')
      : failed(check, 'all of their checkpoints are gone', restoreFix(tx.dialect))
  if (!head) return warning(check, `this home has no head file of them yet: ${path}`, 'payctl serve')
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
