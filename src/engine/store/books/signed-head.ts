import { createPublicKey } from 'node:crypto'
import { parsedJson } from '../../../schema/json.js'
import { isTree } from '../../../schema/types.js'
import type { Environment, Tx } from '../database/store.js'
import { type Checkpoint, checkpointText, lastCheckpoint } from './checkpoint.js'
import { commitsProblem } from './compare-head.js'
import type { KeyedHash } from './seal-log.js'
import { isSigned, signingKey } from './signing-key.js'

/** Checkpoint that is kept outside the home, out of reach of anyone who can change the books. */
export interface SignedHead extends Checkpoint {
  readonly object: 'signed_head'
  /** Ed25519 signature, in base64. */
  readonly signature: string
}

/** Last checkpoint of an environment's books; undefined if there is none. */
export async function lastSignedHead(tx: Tx, environment: Environment): Promise<SignedHead | undefined> {
  const last = await lastCheckpoint(tx)
  if (!last) return undefined
  const { id: number, hash, signed_at, signature } = last
  return { object: 'signed_head', environment, number, hash, signed_at, signature }
}

/** Signed head as one line of JSON. */
export function signedHeadText(head: SignedHead): string {
  return `${JSON.stringify(head)}\n`
}

/**
 * Reads the output of `signedHeadText`; if there are several lines, the last one. Undefined for any other
 * text.
 */
export function readSignedHead(text: string): SignedHead | undefined {
  const value = parsedJson(text.trim().split('\n').at(-1) ?? '')
  return isSignedHead(value) ? value : undefined
}

function isSignedHead(value: unknown): value is SignedHead {
  return (
    isTree(value) &&
    value['object'] === 'signed_head' &&
    (value['environment'] === 'test' || value['environment'] === 'live') &&
    Number.isSafeInteger(value['number']) &&
    ['hash', 'signed_at', 'signature'].every((name) => typeof value[name] === 'string')
  )
}

/** Problem of an environment's books, or of a head that was kept elsewhere; undefined if they agree. */
export async function signedHeadProblem(
  tx: Tx,
  head: SignedHead,
  { environment, keyed }: { readonly environment: Environment; readonly keyed: KeyedHash },
): Promise<string | undefined> {
  if (head.environment !== environment) return `It is a head of ${head.environment}`
  if (!isSigned(createPublicKey(signingKey(keyed)), checkpointText(head), head.signature))
    return 'It is not signed by the key of this home'
  return await commitsProblem(tx, head, 'the head that was kept elsewhere')
}
