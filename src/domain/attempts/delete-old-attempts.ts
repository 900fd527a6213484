import type { Core } from '../../engine/core/core.js'

/** Maximum number of attempts deleted in one unit of work, so that clients do not wait for it. */
const BATCH_SIZE = 500

/**
 * Deletes attempts that no longer count; returns their number. Ends early, after a unit of work, when `stopping` is
 * aborted.
 */
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
