import type { Work } from '../../engine/core/write/work.js'
import type { BillingScheduleRow } from '../../engine/store/database/tables.js'
import { findingsOf, PAGE, type Pass } from './finding.js'

/** What a schedule bills next is within its time, and due work finds it. Money: "Billing schedules". */
export const schedules: Pass = {
  of: 'billing schedules',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
      .selectFrom('billing_schedules')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    return {
      last: rows.at(-1)?.id,
      count: rows.length,
      findings: rows.flatMap((row) => findingsOf('schedule', row.id, scheduleProblems(row))),
    }
  },
}

function scheduleProblems(schedule: BillingScheduleRow): string[] {
  const { next_slot: slot, bills_at: at, start_date: start, end_date: end } = schedule
  if (schedule.deleted_at !== null) return []
  if (slot === null || at === null)
    return slot === at ? [] : [`It bills ${slot} next, and is looked at on ${at}`]
  return [
    ...(start === null || slot < start ? [`It bills ${slot} next, before it starts on ${start}`] : []),
    ...(end !== null && slot > end ? [`It bills ${slot} next, after it ends on ${end}`] : []),
    ...(Math.abs(Date.parse(at) - Date.parse(slot)) > FARTHEST
      ? [`It bills ${slot} next, and is looked at on ${at}`]
      : []),
  ]
}

/** A day begins at most fifteen hours from when it does in UTC. */
const FARTHEST = 15 * 3_600_000
