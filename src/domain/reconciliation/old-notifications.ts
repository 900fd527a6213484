import type { Work } from '../../engine/core/write/work.js'
import type { DueJob } from '../../engine/jobs/due-job.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { datetimeOf, millisecondsOf } from '../../schema/datetime.js'

const DAY = 86_400_000
/** Milliseconds for which notifications stay after they were handled or given up. */
const KEPT_FOR = 90 * DAY
/** Rows deleted in one unit of work, so that it stays short. */
const BATCH_SIZE = 500

/** Deletes notifications of gateways, 90 days after they were handled or given up. */
export const deleteOldNotifications: DueJob = {
  name: 'old notifications',
  async next({ tx }, after) {
    const [first] = await tx.run(firstAfter, { after: datetimeOf(after - KEPT_FOR) })
    return first && millisecondsOf(first.handled_at) + KEPT_FOR
  },
  async run({ write }, at) {
    const until = datetimeOf(at - KEPT_FOR)
    let deleted = 0
    for (let count = BATCH_SIZE; count === BATCH_SIZE; deleted += count)
      count = await write((work) => deleteBatch(work, until))
    return deleted
  },
}

const firstAfter = prepared<{ after: string }, { handled_at: string }>((db, param) =>
  db
    .selectFrom('admin_gateway_notifications')
    .select((eb) => eb.ref('handled_at').$notNull().as('handled_at'))
    .where('handled_at', '>', param('after'))
    .orderBy('handled_at')
    .limit(1),
)

async function deleteBatch({ tx: { db } }: Work, until: string): Promise<number> {
  const rows = await db
    .selectFrom('admin_gateway_notifications')
    .select('id')
    .where('handled_at', '<=', until)
    .orderBy('handled_at')
    .limit(BATCH_SIZE)
    .execute()
  if (rows.length === 0) return 0
  await db
    .deleteFrom('admin_gateway_notifications')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return rows.length
}
