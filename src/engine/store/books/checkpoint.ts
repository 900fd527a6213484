import type { KeyObject } from 'node:crypto'
import type { CheckpointRow } from '../database/books-rows.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Environment, Tx } from '../database/store.js'
import type { Head } from './seal-log.js'
import { signText } from './signing-key.js'

/** Maximum number of commits between two checkpoints. The first commit has a checkpoint, too. */
export const CHECKPOINT_COMMITS = 1_000

/** Signed head of a log. */
export interface Checkpoint extends Head {
  readonly environment: Environment
  /** Time of the signature, UTC. */
  readonly signed_at: string
}

/** Text that is signed, with one line per value. */
export function checkpointText({ environment, number, hash, signed_at: signedAt }: Checkpoint): string {
  return `payctl checkpoint\n${environment}\n${number}\n${hash}\n${signedAt}\n`
}

/** Last checkpoint of a database; undefined if it has none. */
export async function lastCheckpoint(tx: Tx): Promise<CheckpointRow | undefined> {
  const [row] = await tx.run(lastStatement, {})
  return row
}

/** First checkpoint of a database; undefined if it has none. */
export async function firstCheckpoint(tx: Tx): Promise<CheckpointRow | undefined> {
  const [row] = await tx.run(firstStatement, {})
  return row
}

/** Signs a head, unless a checkpoint for its commit exists. */
export async function addCheckpoint(tx: Tx, checkpoint: Checkpoint, key: KeyObject): Promise<void> {
  const { number: id, hash, signed_at } = checkpoint
  await tx.change(insertStatement, {
    id,
    hash,
    signed_at,
    signature: signText(key, checkpointText(checkpoint)),
  })
}

const lastStatement: Prepared<object, CheckpointRow> = prepared((db) =>
  db.selectFrom('checkpoints').selectAll().orderBy('id', 'desc').limit(1),
)

const firstStatement: Prepared<object, CheckpointRow> = prepared((db) =>
  db.selectFrom('checkpoints').selectAll().orderBy('id').limit(1),
)

const insertStatement = prepared<CheckpointRow, never>((db, param) =>
  db
    .insertInto('checkpoints')
    .values({
      id: param('id'),
      hash: param('hash'),
      signed_at: param('signed_at'),
      signature: param('signature'),
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
)
