import type { CheckpointRow } from '../database/books-rows.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { type Hash, unpacked } from './merkle.js'

/** Number of commits or checkpoints that are read at once. */
const PAGE = 200

/** Entry of a commit for one row. */
export interface LoggedEntry {
  /** Name from `sealedName`. */
  readonly name: string
  readonly leaf: Hash
}

/** Entries of a commit or of a queue row; undefined if the numbers of names and digests differ. */
export function entriesIn(row: Pick<SealLogRow, 'entries' | 'leaves'>): readonly LoggedEntry[] | undefined {
  const names = row.entries.split('\n')
  const leaves = unpacked(row.leaves)
  if (names.length !== leaves.length) return undefined
  return names.map((name, n) => ({ name, leaf: leaves[n] ?? '' }))
}

/** Next page of commits after a number. */
export async function commitsAfter(tx: Tx, number: number): Promise<readonly SealLogRow[]> {
  return await tx.run(commitsStatement, { number })
}

/**
 * Next page of checkpoints after a number, each with the hash of its commit in the log; null if the commit
 * is missing.
 */
export async function checkpointsAfter(
  tx: Tx,
  number: number,
): Promise<readonly (CheckpointRow & { logged: string | null })[]> {
  return await tx.run(checkpointsStatement, { number })
}

/** Number of entries in the log; several entries for one row count separately. */
export async function entryCount({ db }: Tx): Promise<number> {
  const { bytes } = await db
    .selectFrom('seal_log')
    .select(({ fn }) => fn.sum<number | string | null>(fn<number>('length', ['leaves'])).as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0) / 32
}

type After = { readonly number: number }

const commitsStatement: Prepared<After, SealLogRow> = prepared((db, param) =>
  db.selectFrom('seal_log').selectAll().where('id', '>', param('number')).orderBy('id').limit(PAGE),
)

const checkpointsStatement: Prepared<After, CheckpointRow & { logged: string | null }> = prepared(
  (db, param) =>
    db
      .selectFrom('checkpoints')
      .leftJoin('seal_log', 'seal_log.id', 'checkpoints.id')
      .selectAll('checkpoints')
      .select('seal_log.hash as logged')
      .where('checkpoints.id', '>', param('number'))
      .orderBy('checkpoints.id')
      .limit(PAGE),
)
