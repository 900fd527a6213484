import { sql } from 'kysely'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { Awaiting } from './waiting-items.js'

/** A processing account, and the end of a business day (a datetime) at which transactions of the account are due. */
export interface DueGroup {
  readonly processingId: string
  readonly dueAt: string
}

/** First datetime after `after` at which a transaction is due for a step of settlement; undefined if there is none. */
export async function nextDueAt(
  { tx }: Work,
  awaiting: Awaiting,
  after: string,
): Promise<string | undefined> {
  const [first] = await tx.run(firstAfter, { awaiting, after })
  return first?.due_at
}

const firstAfter = prepared<{ awaiting: string; after: string }, { due_at: string }>((db, param) =>
  db
    .selectFrom('transactions')
    .select(sql<string>`due_at`.as('due_at'))
    .where('awaiting', '=', sql<Awaiting>`${param('awaiting')}`)
    .where('due_at', '>', param('after'))
    .orderBy('due_at')
    .limit(1),
)

/**
 * The next group after `last`, in the order of time, that waits for a step of settlement and is due at `until` or
 * earlier.
 */
export async function nextDueGroup(
  { tx }: Work,
  awaiting: Awaiting,
  until: string,
  last: DueGroup = { dueAt: '', processingId: '' },
): Promise<DueGroup | undefined> {
  const [first] = await tx.run(groupAfter, { awaiting, until, ...last })
  return first && { dueAt: first.due_at, processingId: first.processing_id }
}

interface After extends DueGroup {
  readonly awaiting: string
  readonly until: string
}

const groupAfter = prepared<After, { due_at: string; processing_id: string }>((db, param) =>
  db
    .selectFrom('transactions')
    .select([sql<string>`due_at`.as('due_at'), sql<string>`processing_id`.as('processing_id')])
    .where('awaiting', '=', sql<Awaiting>`${param('awaiting')}`)
    .where('due_at', '<=', param('until'))
    .where(sql<boolean>`(due_at, processing_id) > (${param('dueAt')}, ${param('processingId')})`)
    .orderBy('due_at')
    .orderBy('processing_id')
    .limit(1),
)
