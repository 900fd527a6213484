import type { DueJob } from '../../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../../engine/jobs/several-at-once.js'
import { dueObjects } from '../due-objects.js'
import { type Billed, billNext } from './bill-slot.js'

/** Called with the outcome of each slot after its commit; undefined when another process billed it first. */
export type BillingListener = (billed: Billed | undefined) => void

/** Schedules that are due to bill. */
export const schedulesToBill = dueObjects('billing_schedules', 'bills_at')

/**
 * Job that makes an invoice for each slot that is due, in the order of time. Each slot has its own unit of work, and
 * several run at the same time. Memory use does not grow with the number of schedules. See docs/money.md, "Billing
 * schedules".
 */
export function billing(onBilled: BillingListener = () => undefined): DueJob {
  return {
    name: 'billing',
    next: schedulesToBill.nextAfter,
    async run(runner, at) {
      let count = 0
      for (;;) {
        // A billed schedule moves on to its next slot, so the next query for due schedules no longer finds it.
        const due = await runner.read((work) => schedulesToBill.dueBy(work, Math.min(at, work.milliseconds)))
        if (due.length === 0) return count
        await severalAtOnce(due, async ({ id }) => {
          const billed = await runner.write((work) => billNext(work, id, at))
          if (billed?.kind === 'made') count++
          onBilled(billed)
        })
      }
    },
  }
}
