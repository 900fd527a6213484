import type { DueJob } from '../../../engine/jobs/job.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import type { AutomaticPayment } from '../../payments/take-payment.js'
import { type Collected, collect } from './collect.js'
import { type DueInvoice, dueInvoices, nextCollecting } from './due-invoices.js'

/** Told of each attempt, once it is committed. */
export type CollectingListener = (collected: Collected) => void

/**
 * Collects what is due on invoices of schedules by the customers' default payment methods, each in a unit of work of
 * its own, once a day at most. Money: "Billing schedules".
 */
export function collecting(
  takePayment: AutomaticPayment,
  onCollected: CollectingListener = () => undefined,
): DueJob {
  return {
    name: 'automatic_payments',
    async next(work, after) {
      const at = await nextCollecting(work, datetimeOf(after))
      return at === undefined ? undefined : millisecondsOf(at)
    },
    async run(runner, at) {
      let count = 0
      let last: DueInvoice | undefined
      do {
        const due = await runner.read((work) => dueInvoices(work, datetimeOf(at), last))
        for (const { id } of due) {
          const collected = await collect(runner, takePayment, id, at)
          if (!collected) continue
          onCollected(collected)
          count++
        }
        last = due.at(-1)
      } while (last)
      return count
    },
  }
}
