import { createPublicKey, type KeyObject } from 'node:crypto'
import { isTree } from '../../../schema/types.js'
import type { CheckpointRow } from '../database/books-rows.js'
import type { Environment, Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { addCheckpoint, type Checkpoint, checkpointText } from './checkpoint.js'
import { hashOfHex, hexOf, leafHash, pathTo, rootFrom, rootOf, unpacked } from './merkle.js'
import { entriesIn } from './read-log.js'
import { chainHash, lastSealed, NOTHING_SEALED } from './seal-log.js'
import { readSealedRow } from './sealed-row.js'
import { isSigned } from './signing-key.js'

/**
 * Proof that a row is part of the commits that a checkpoint signs. Checking it requires only the public
 * key. Hashes are in hex.
 */
export interface InclusionProof {
  readonly object: 'inclusion_proof'
  /** Row as it was sealed, in canonical JSON. */
  readonly content: string
  /** Number of the commit that seals the row. */
  readonly commit: number
  /** Hash of the commit before the sealing commit. */
  readonly previous: string
  /** Index of the row among the entries of the commit. */
  readonly index: number
  /** Number of entries in the commit. */
  readonly size: number
  /** Hashes that lead from the row's leaf to the root of the commit. RFC 9162, 2.1.3. */
  readonly path: readonly string[]
  /** Roots of the commits after the sealing commit, up to the checkpoint. */
  readonly later: readonly string[]
  readonly checkpoint: Checkpoint & { readonly signature: string }
}

/** Maximum number of commits that are searched for a row, newest first. */
const MAX_CANDIDATES = 100

/**
 * Proof of a row in its current state; undefined if that state is not sealed. Signs a checkpoint if none
 * follows the row's commit.
 */
export async function makeProof(
  tx: Tx,
  id: string,
  signing: { readonly environment: Environment; readonly key: KeyObject; readonly signedAt: string },
): Promise<InclusionProof | undefined> {
  const found = await commitOf(tx, id)
  const row = found && (await readSealedRow(tx, found.name))
  if (!found || !row?.table.isShowable(row.values)) return undefined
  const { commit, index } = found
  const leaves = unpacked(commit.leaves)
  const content = row.table.write(row.values)
  if (leaves[index] !== leafHash(content)) return undefined
  const checkpoint = await checkpointFor(tx, commit.id, signing)
  const others = await tx.db
    .selectFrom('seal_log')
    .select(['id', 'hash', 'leaves'])
    .where('id', '>=', commit.id - 1)
    .where('id', '<=', checkpoint.id)
    .orderBy('id')
    .execute()
  const { id: number, hash, signed_at, signature } = checkpoint
  return {
    object: 'inclusion_proof',
    content,
    commit: commit.id,
    previous: others.find((row) => row.id === commit.id - 1)?.hash ?? NOTHING_SEALED.hash,
    index,
    size: leaves.length,
    path: pathTo(leaves, index).map(hexOf),
    later: others.filter((row) => row.id > commit.id).map((row) => hexOf(rootOf(unpacked(row.leaves)))),
    checkpoint: { environment: signing.environment, number, hash, signed_at, signature },
  }
}

/** Problem of a proof; undefined if the row is part of the commits that the key has signed. */
export function proofProblem(proof: InclusionProof, publicKey: string): string | undefined {
  const { content, commit, previous, index, size, path, later, checkpoint } = proof
  const root = rootFrom(leafHash(content), index, size, path.map(hashOfHex))
  if (root === undefined) return 'Its path does not lead from its index to a root'
  let head = chainHash(previous, root, commit)
  for (const [n, next] of later.entries()) head = chainHash(head, hashOfHex(next), commit + n + 1)
  if (head !== checkpoint.hash || commit + later.length !== checkpoint.number)
    return 'Its content is not part of its checkpoint'
  return isSigned(createPublicKey(publicKey), checkpointText(checkpoint), checkpoint.signature)
    ? undefined
    : 'Its checkpoint is not signed by this key'
}

/** Whether a text is a public key in a supported format. */
export function isPublicKey(text: string): boolean {
  try {
    createPublicKey(text)
    return true
  } catch {
    return false
  }
}

/** Whether a value has the shape of a proof. */
export function isInclusionProof(value: unknown): value is InclusionProof {
  if (!isTree(value)) return false
  const { object, content, commit, previous, index, size, path, later, checkpoint } = value
  return (
    object === 'inclusion_proof' &&
    [content, previous].every((each) => typeof each === 'string') &&
    [commit, index, size].every((each) => Number.isSafeInteger(each)) &&
    [path, later].every((each) => Array.isArray(each) && each.every((one) => typeof one === 'string')) &&
    isTree(checkpoint) &&
    Number.isSafeInteger(checkpoint['number']) &&
    ['environment', 'hash', 'signed_at', 'signature'].every((name) => typeof checkpoint[name] === 'string')
  )
}

async function commitOf(
  tx: Tx,
  id: string,
): Promise<{ commit: SealLogRow; index: number; name: string } | undefined> {
  const candidates = await tx.db
    .selectFrom('seal_log')
    .selectAll()
    .where('entries', 'like', `%${id}%`)
    .orderBy('id', 'desc')
    .limit(MAX_CANDIDATES)
    .execute()
  for (const commit of candidates) {
    const entries = entriesIn(commit) ?? []
    // A row may have several entries if units of work were sealed together; the last entry counts.
    const index = entries.findLastIndex(({ name }) => name.endsWith(` ${id}`))
    const name = entries[index]?.name
    if (name !== undefined) return { commit, index, name }
  }
  return undefined
}

async function checkpointFor(
  tx: Tx,
  number: number,
  { environment, key, signedAt }: { environment: Environment; key: KeyObject; signedAt: string },
): Promise<CheckpointRow> {
  const following = () =>
    tx.db.selectFrom('checkpoints').selectAll().where('id', '>=', number).orderBy('id').limit(1)
  const known = await following().executeTakeFirst()
  if (known) return known
  await addCheckpoint(tx, { ...(await lastSealed(tx)), environment, signed_at: signedAt }, key)
  return await following().executeTakeFirstOrThrow()
}
