import { ApiError } from '../../../engine/core/request/api-error.js'
import type { DueJob } from '../../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../../engine/jobs/several-at-once.js'
import type { AutomaticPayments } from '../../payments/take-payment.js'
import { type DueObject, dueObjects } from '../due-objects.js'
import { type Collected, collect } from './collect.js'

/** Called with each attempt after its commit. */
export type CollectingListener = (collected: Collected) => void

/** Invoices of schedules that are due to be collected. */
export const invoicesToCollect = dueObjects('invoices', 'collect_at')

/**
 * Charges the customers' default payment methods for amounts due on invoices of schedules. Each invoice has its own
 * unit of work, several at once, at most one attempt a day. Money: "Billing schedules". If an invoice's gateway is
 * unavailable (paused, or without a route), that invoice stays due. All others that are due by then are collected;
 * afterwards the job fails, to run again.
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
      let until = at
      let unavailable: ApiError | undefined
      let last: DueObject | undefined
      do {
        const due = await runner.read((work) => invoicesToCollect.dueBy(work, until, last))
        await severalAtOnce(due, async ({ id }) => {
          try {
            const collected = await collect(runner, payments.take, id, until)
            if (!collected) return
            onCollected(collected)
            count++
          } catch (error) {
            if (!(error instanceof ApiError) || error.type !== 'ServiceUnavailable') throw error
            unavailable = error
          }
        })
        last = due.at(-1)
        // A job that fails pauses for a while, so all invoices that are due by now are collected before it fails.
        if (unavailable) until = Math.max(at, await runner.read(async ({ milliseconds }) => milliseconds))
      } while (last)
      if (unavailable) throw unavailable
      return count
    },
  }
}
