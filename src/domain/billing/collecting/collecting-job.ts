import { sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import type { DueJob } from '../../../engine/jobs/job.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import type { AutomaticPayments } from '../../payments/take-payment.js'
import { type Collected, collect } from './collect.js'

/** Called with each attempt after its commit. */
export type CollectingListener = (collected: Collected) => void

/**
 * Charges the customers' default payment methods for what is due on invoices of schedules: each invoice in its own unit
 * of work, at most once a day. Money: "Billing schedules".
 */
export function collecting(
  payments: AutomaticPayments,
  onCollected: CollectingListener = () => undefined,
): DueJob {
  return {
    name: 'automatic_payments',
    async next(work, after) {
      if (!(await payments.isConnected(work))) return undefined
      const at = await nextCollecting(work, datetimeOf(after))
      return at === undefined ? undefined : millisecondsOf(at)
    },
    async run(runner, at) {
      let count = 0
      let last: DueInvoice | undefined
      do {
        const due = await runner.read((work) => dueInvoices(work, datetimeOf(at), last))
        for (const { id } of due) {
          const collected = await collect(runner, payments.take, id, at)
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

/** An invoice, and the datetime from which it is collected. */
export interface DueInvoice {
  readonly id: string
  readonly collect_at: string
}

/** How many are read at once. */
const BATCH_SIZE = 100

/** The first time after a datetime at which an invoice is collected. */
async function nextCollecting({ tx }: Work, after: string): Promise<string | undefined> {
  const [first] = await tx.run(firstAfter, { after })
  return first?.collect_at
}

/** A page of the invoices that are to be collected up to a datetime, in that order, beginning after `last`. */
export async function dueInvoices(
  { tx }: Work,
  until: string,
  last: DueInvoice = { id: '', collect_at: '' },
): Promise<DueInvoice[]> {
  return await tx.run(dueAfter, { until, id: last.id, at: last.collect_at })
}

const collectAt = sql<string>`collect_at`.as('collect_at')

const firstAfter = prepared<{ after: string }, { collect_at: string }>((db, param) =>
  db
    .selectFrom('invoices')
    .select(collectAt)
    .where('collect_at', '>', param('after'))
    .where('deleted_at', 'is', null)
    .orderBy('collect_at')
    .limit(1),
)

const dueAfter = prepared<{ until: string; id: string; at: string }, DueInvoice>((db, param) =>
  db
    .selectFrom('invoices')
    .select(['id', collectAt])
    .where('collect_at', '<=', param('until'))
    .where(sql<boolean>`(collect_at, id) > (${param('at')}, ${param('id')})`)
    .where('deleted_at', 'is', null)
    .orderBy('collect_at')
    .orderBy('id')
    .limit(BATCH_SIZE),
)
