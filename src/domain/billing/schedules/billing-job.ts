import { sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import type { DueJob } from '../../../engine/jobs/job.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { type Billed, billNext } from './bill-slot.js'

/** Called with the outcome of each slot after its commit; undefined when another process billed it first. */
export type BillingListener = (billed: Billed | undefined) => void

/**
 * Bills schedules: an invoice for each slot that is due, in the order of time, each in its own unit of work. Memory does
 * not grow with their number. Money: "Billing schedules".
 */
export function billing(onBilled: BillingListener = () => undefined): DueJob {
  return {
    name: 'billing',
    async next(work, after) {
      const at = await nextBilling(work, datetimeOf(after))
      return at === undefined ? undefined : millisecondsOf(at)
    },
    async run(runner, at) {
      let count = 0
      for (;;) {
        // A billed schedule moves on to its next slot, so that it leaves the first page.
        const due = await runner.read((work) =>
          dueSchedules(work, datetimeOf(Math.min(at, work.milliseconds))),
        )
        if (due.length === 0) return count
        for (const { id } of due) {
          const billed = await runner.write((work) => billNext(work, id, at))
          if (billed?.kind === 'made') count++
          onBilled(billed)
        }
      }
    },
  }
}

/** A schedule, and the datetime at which it bills next. */
export interface DueSchedule {
  readonly id: string
  readonly bills_at: string
}

/** How many are read at once. */
const BATCH_SIZE = 100

/** The first time after a datetime at which a schedule bills. */
async function nextBilling({ tx }: Work, after: string): Promise<string | undefined> {
  const [first] = await tx.run(firstAfter, { after })
  return first?.bills_at
}

/** A page of the schedules that are to bill up to a datetime, in that order, beginning after `last`. */
export async function dueSchedules(
  { tx }: Work,
  until: string,
  last: DueSchedule = { id: '', bills_at: '' },
): Promise<DueSchedule[]> {
  return await tx.run(dueAfter, { until, id: last.id, at: last.bills_at })
}

const billsAt = sql<string>`bills_at`.as('bills_at')

const firstAfter = prepared<{ after: string }, { bills_at: string }>((db, param) =>
  db
    .selectFrom('billing_schedules')
    .select(billsAt)
    .where('bills_at', '>', param('after'))
    .where('deleted_at', 'is', null)
    .orderBy('bills_at')
    .limit(1),
)

const dueAfter = prepared<{ until: string; id: string; at: string }, DueSchedule>((db, param) =>
  db
    .selectFrom('billing_schedules')
    .select(['id', billsAt])
    .where('bills_at', '<=', param('until'))
    .where(sql<boolean>`(bills_at, id) > (${param('at')}, ${param('id')})`)
    .where('deleted_at', 'is', null)
    .orderBy('bills_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)
