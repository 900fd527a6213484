import type { CheckpointRow } from '../database/books-rows.js'
import { type Prepared, prepared } from '../database/prepared.js'
import type { Tx } from '../database/store.js'
import type { SealLogRow } from '../database/tables.js'
import { type Hash, unpacked } from './merkle.js'

/** How many commits, or checkpoints, are read at once. */
const PAGE = 200

/** What a commit says about a row. */
export interface LoggedEntry {
  /** As `sealedName` makes it. */
  readonly name: string
  readonly leaf: Hash
}

/** The entries of a commit, or of a row of the queue; undefined when it does not have as many names as digests. */
export function entriesIn(row: Pick<SealLogRow, 'entries' | 'leaves'>): readonly LoggedEntry[] | undefined {
  const names = row.entries.split('\n')
  const leaves = unpacked(row.leaves)
  if (names.length !== leaves.length) return undefined
  return names.map((name, n) => ({ name, leaf: leaves[n] ?? '' }))
}

/** The next commits after a number. */
export async function commitsAfter(tx: Tx, number: number): Promise<readonly SealLogRow[]> {
  return await tx.run(commitsStatement, { number })
}

/** The next checkpoints after a number, each with the hash of its commit in the log; null when that is missing. */
export async function checkpointsAfter(
  tx: Tx,
  number: number,
): Promise<readonly (CheckpointRow & { logged: string | null })[]> {
  return await tx.run(checkpointsStatement, { number })
}

/** How many entries the log has; entries for the same row count each time. */
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
