import type { Work } from '../../engine/core/write/work.js'
import { datetimeOf } from '../../schema/datetime.js'
import { digitsOfTime } from '../../schema/id-time.js'

/** So many rows are deleted in one unit of work, so that nobody waits for it. */
const LOT = 500
const DAY = 86_400_000

type Transact = <T>(job: (work: Work) => Promise<T>) => Promise<T>

/**
 * Deletes the logs of attempts older than so many days, and the deliveries of events as old that nothing is due for.
 * The events stay. Answers how many logs; ends early, after a unit of work, when `stopping` is aborted.
 */
export async function forgetLogs(transact: Transact, days: number, stopping: AbortSignal): Promise<number> {
  let forgotten = 0
  for (const forget of [forgetSomeLogs, forgetSomeDeliveries]) {
    let count = LOT
    while (count === LOT && !stopping.aborted) {
      count = await transact(async (work) => await forget(work, days))
      if (forget === forgetSomeLogs) forgotten += count
    }
  }
  return forgotten
}

async function forgetSomeLogs({ tx: { db }, milliseconds }: Work, days: number): Promise<number> {
  const old = db
    .selectFrom('webhook_logs')
    .select('id')
    .where('created_at', '<', datetimeOf(milliseconds - days * DAY))
    .limit(LOT)
  const { numDeletedRows } = await db.deleteFrom('webhook_logs').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

async function forgetSomeDeliveries({ tx: { db }, realMilliseconds }: Work, days: number): Promise<number> {
  const old = db
    .selectFrom('deliveries')
    .select('id')
    .where('id', '<', `evt_${digitsOfTime(realMilliseconds - days * DAY)}`)
    .where('waiting', 'is', null)
    .limit(LOT)
  const { numDeletedRows } = await db.deleteFrom('deliveries').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
