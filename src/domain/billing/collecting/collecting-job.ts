import { ApiError } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { DueJob } from '../../../engine/jobs/due-job.js'
import { severalAtOnce } from '../../../engine/jobs/several-at-once.js'
import { resources } from '../../../resources/resource-table.js'
import type { AutomaticPayments } from '../../payments/take/take-payment.js'
import { type DueObject, dueObjects } from '../due-objects.js'
import { type Collected, collect } from './collect.js'
import { methodOf } from './collecting-of.js'

/** Called with each attempt after its commit. */
export type CollectingListener = (collected: Collected) => void

/** Invoices for which an automatic payment is due. */
export const invoicesToCollect = dueObjects('invoices', 'collect_at')

/**
 * Job that charges customers' default payment methods for the amounts due on invoices of schedules. Each invoice has
 * its own unit of work, and several run at the same time. An invoice has at most one automatic attempt a day. See
 * docs/money.md, "Billing schedules". If an invoice's gateway is unavailable (paused, or without a route), that
 * invoice stays due. All others that are due by then are collected; then the job throws, so that it runs again.
 * `lane` names a remote gateway: the job collects the invoices that this gateway would charge. Without `lane` it
 * collects those that no remote gateway would charge.
 */
export function collecting(
  payments: AutomaticPayments,
  onCollected: CollectingListener = () => undefined,
  lane?: string,
): DueJob {
  return {
    name: 'automatic_payments',
    lane,
    async next(work, after) {
      return (await payments.isConnected(work)) ? await invoicesToCollect.nextAfter(work, after) : undefined
    },
    async run(runner, at) {
      let count = 0
      let until = at
      let unavailable: ApiError | undefined
      let last: DueObject | undefined
      do {
        const { due, own } = await runner.read(async (work) => {
          const due = await invoicesToCollect.dueBy(work, until, last)
          return { due, own: await ofLane(work, payments, lane, due) }
        })
        await severalAtOnce(own, async ({ id }) => {
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

/**
 * The invoices among `due` that the gateway of this lane collects; without a lane, those that no remote gateway
 * collects.
 */
async function ofLane(
  work: Work,
  payments: AutomaticPayments,
  lane: string | undefined,
  due: readonly DueObject[],
): Promise<readonly DueObject[]> {
  if ((await payments.lanes(work)).length === 0) return lane === undefined ? due : []
  const own: DueObject[] = []
  for (const each of due) if ((await laneOf(work, payments, each.id)) === lane) own.push(each)
  return own
}

/**
 * Name of the remote gateway that would charge an invoice. Undefined if there is none, or if the attempt is refused
 * before a gateway is called.
 */
async function laneOf(work: Work, payments: AutomaticPayments, id: string): Promise<string | undefined> {
  const invoice = await work.find(resources.invoice, id)
  const method = invoice && (await methodOf(work, invoice))
  if (!method) return undefined
  return await payments.laneOf(work, {
    method: method.type ?? 'card',
    processingId: invoice.processing_id ?? '',
  })
}
