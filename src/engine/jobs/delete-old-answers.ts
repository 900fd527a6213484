import { datetimeOf } from '../../schema/datetime.js'
import type { Core } from '../core/core.js'
import type { AnswerClock } from '../core/write/answer-clock.js'
import { ANSWER_LIFETIME } from '../core/write/idempotency.js'
import type { Tx } from '../store/database/store.js'

/**
 * Number of records deleted in one unit of work. The number is small, so that other work does not wait long.
 */
const BATCH_SIZE = 500

/**
 * Deletes stored answers of idempotency keys after their lifetime. Returns the number of deleted answers.
 * Ends after the current unit of work if `stopping` is aborted.
 */
export async function deleteOldAnswers(
  write: Core['write'],
  answerClock: AnswerClock,
  stopping: AbortSignal,
): Promise<number> {
  const now = await write(async ({ tx }) => await answerClock.look(tx))
  const end = datetimeOf(now - ANSWER_LIFETIME)
  let deleted = 0
  let hasMore = true
  while (hasMore && !stopping.aborted) {
    const count = await write(async ({ tx }) => {
      const { numDeletedRows } = await tx.db
        .deleteFrom('idempotency_records')
        .where('id', 'in', answersBefore(tx, end))
        .executeTakeFirst()
      return Number(numDeletedRows)
    })
    deleted += count
    hasMore = count > 0
  }
  return deleted
}

/**
 * Ids of some answers stored before `end`. Answers with an unknown outcome are kept; without them a
 * repeated request would be executed again.
 */
function answersBefore({ db }: Tx, end: string) {
  return db
    .selectFrom('idempotency_records')
    .select('id')
    .where('status', 'is not', null)
    .where('created_at', '<', end)
    .limit(BATCH_SIZE)
}
