import type { Core } from '../../engine/core/core.js'
import { ANSWER_LIFETIME } from '../../engine/core/write/idempotency.js'
import { datetimeOf } from '../../schema/datetime.js'

/** So many records are deleted in one unit of work, so that nobody waits for it. */
const LOT = 500

/**
 * Deletes the answers to idempotency keys that are not given again, as they are older than they are kept. Answers how
 * many; ends early, after a unit of work, when `stopping` is aborted.
 */
export async function forgetAnswers(transact: Core['write'], stopping: AbortSignal): Promise<number> {
  let forgotten = 0
  let more = true
  while (more && !stopping.aborted) {
    const count = await transact(async ({ tx: { db }, realMilliseconds }) => {
      const old = db
        .selectFrom('idempotency_records')
        .select('id')
        .where('created_at', '<', datetimeOf(realMilliseconds - ANSWER_LIFETIME))
        .limit(LOT)
      const { numDeletedRows } = await db
        .deleteFrom('idempotency_records')
        .where('id', 'in', old)
        .executeTakeFirst()
      return Number(numDeletedRows)
    })
    forgotten += count
    more = count === LOT
  }
  return forgotten
}
