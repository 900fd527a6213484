import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { DEFAULT_CUT_OFF } from '../../../platform/calendar/cut-off.js'

/**
 * The time zone in which the days of operators begin and end: that of the oldest organization that has a time zone.
 */
export async function operatorZone({ tx }: Pick<Work, 'tx'>): Promise<string> {
  const [first] = await tx.run(firstZone, {})
  return first?.timezone ?? DEFAULT_CUT_OFF.timeZone
}

const firstZone = prepared<object, { timezone: string | null }>((db) =>
  db
    .selectFrom('orgs')
    .select('timezone')
    .where('timezone', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)
