import type { DueJob } from '../../../engine/jobs/job.js'
import { severalAtOnce } from '../../../engine/jobs/several-at-once.js'
import type { AutomaticPayments } from '../../payments/take-payment.js'
import { type DueObject, dueObjects } from '../due-objects.js'
import { type Collected, collect } from './collect.js'

/** Called with each attempt after its commit. */
export type CollectingListener = (collected: Collected) => void

/** Invoices of schedules that are due to be collected. */
export const invoicesToCollect = dueObjects('invoices', 'collect_at')

/**
 * Charges the customers' default payment methods for what is due on invoices of schedules: each invoice in its own unit
 * of work, several at once, at most once a day. Money: "Billing schedules".
 */
export function collecting(
  payments: AutomaticPayments,
  onCollected: CollectingListener = () => undefined,
): DueJob {
  return {
    name: 'automatic_payments',
    async next(work, after) {
      return (await payments.isConnected(work)) ? await invoicesToCollect.nextAfter(work, after) : undefined
    },
    async run(runner, at) {
      let count = 0
      let last: DueObject | undefined
      do {
        const due = await runner.read((work) => invoicesToCollect.dueBy(work, at, last))
        await severalAtOnce(due, async ({ id }) => {
          const collected = await collect(runner, payments.take, id, at)
          if (!collected) return
          onCollected(collected)
          count++
        })
        last = due.at(-1)
      } while (last)
      return count
    },
  }
}
