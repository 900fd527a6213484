import type { ExpressionBuilder } from 'kysely'
import { type Prepared, prepared } from '../database/prepared.js'
import type { SealLogRow, SealQueueRow, Tables } from '../database/tables.js'
import { logEnd } from './log-end.js'

/** Number of commits that are read at once. */
const PAGE = 200

/** Commit, with the hash of the previous commit; null for the first commit. */
export interface FollowingCommit extends SealLogRow {
  readonly before: string | null
}

// The columns are listed: a read of a whole row by its id would be grouped as another kind of statement.
const COLUMNS = ['id', 'hash', 'mac', 'control', 'control_before', 'entries', 'leaves'] as const

function hashBefore(eb: ExpressionBuilder<Tables, 'seal_log'>) {
  return eb
    .selectFrom('seal_log as earlier')
    .select('earlier.hash')
    .where('earlier.id', '=', eb('seal_log.id', '-', eb.lit(1)))
    .as('before')
}

export const commitStatement: Prepared<{ id: number }, FollowingCommit> = prepared((db, param) =>
  db.selectFrom('seal_log').select(COLUMNS).select(hashBefore).where('id', '=', param('id')),
)

export const controlStatement: Prepared<{ after: number; until: number }, FollowingCommit> = prepared(
  (db, param) =>
    db
      .selectFrom('seal_log')
      .select(COLUMNS)
      .select(hashBefore)
      .where('control_before', '>=', param('after'))
      .where('id', '<=', param('until'))
      .orderBy('control_before')
      .limit(PAGE),
)

/** Queue entries that change control rows, with the end of the log. */
export const queueStatement: Prepared<object, SealQueueRow & { id: number; log_end: string }> = prepared(
  (db) =>
    db
      .selectFrom('seal_queue')
      .select(['id', 'entries', 'leaves', 'mac', 'control', logEnd])
      .where('control', 'is not', null)
      .orderBy('id'),
)
