import type { Core } from '../../engine/core/core.js'

/** Attempts deleted in one unit of work, so that no client waits for it. */
const BATCH_SIZE = 500

/** Deletes attempts that count no more; returns their number. Ends early, after a unit of work, when `stopping` is aborted. */
export async function deleteOldAttempts(write: Core['write'], stopping: AbortSignal): Promise<number> {
  let deleted = 0
  let hasMore = true
  while (hasMore && !stopping.aborted) {
    const count = await write(async ({ tx: { db }, realMilliseconds }) => {
      const old = db.selectFrom('attempts').select('id').where('until', '<=', realMilliseconds)
      const { numDeletedRows } = await db
        .deleteFrom('attempts')
        .where('id', 'in', old.limit(BATCH_SIZE))
        .executeTakeFirst()
      return Number(numDeletedRows)
    })
    deleted += count
    hasMore = count > 0
  }
  return deleted
}
