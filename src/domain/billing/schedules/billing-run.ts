import type { DueJob } from '../../../engine/jobs/job.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { type Billed, billNext } from './bill-slot.js'
import { dueSchedules, nextBilling } from './due-schedules.js'

/** Told what became of each slot, once that is committed; nothing when another process was first. */
export type BillingListener = (billed: Billed | undefined) => void

/**
 * Bills schedules: an invoice for each slot that is due, in the order of time, each in a unit of work of its own.
 * Memory does not grow with their number. Money: "Billing schedules".
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
        // Whatever was due is passed afterwards, so that the next ones come first.
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
