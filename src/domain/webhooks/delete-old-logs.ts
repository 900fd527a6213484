import type { Work } from '../../engine/core/write/work.js'
import type { WorkRunner } from '../../engine/jobs/due-job.js'
import { datetimeOf } from '../../schema/datetime.js'
import { eventIdAt } from './event-ids.js'

/** Rows deleted in one unit of work, so that it stays short. */
const BATCH_SIZE = 500
const DAY = 86_400_000

/**
 * Deletes the logs of attempts that are older than `days`, and finished deliveries of events that are as old. The
 * events remain. Returns the number of logs. Ends early, after a unit of work, when `stopping` is aborted.
 */
export async function deleteOldLogs(
  write: WorkRunner['write'],
  days: number,
  stopping: AbortSignal,
): Promise<number> {
  const deleteAll = async (deleteBatch: (work: Work, days: number) => Promise<number>): Promise<number> => {
    let deleted = 0
    for (let count = BATCH_SIZE; count === BATCH_SIZE && !stopping.aborted; deleted += count)
      count = await write(async (work) => await deleteBatch(work, days))
    return deleted
  }
  const logs = await deleteAll(deleteLogs)
  await deleteAll(deleteDeliveries)
  return logs
}

async function deleteLogs({ tx: { db }, milliseconds }: Work, days: number): Promise<number> {
  const old = db
    .selectFrom('webhook_logs')
    .select('id')
    .where('created_at', '<', datetimeOf(milliseconds - days * DAY))
    .limit(BATCH_SIZE)
  const { numDeletedRows } = await db.deleteFrom('webhook_logs').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

async function deleteDeliveries({ tx: { db }, realMilliseconds }: Work, days: number): Promise<number> {
  const old = db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '<', eventIdAt(realMilliseconds - days * DAY))
    .where('waiting', 'is', null)
    .limit(BATCH_SIZE)
  const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
