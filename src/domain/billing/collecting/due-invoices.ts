import { sql } from 'kysely'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'

/** An invoice, and when it is collected: a datetime. */
export interface DueInvoice {
  readonly id: string
  readonly collect_at: string
}

/** How many are looked for at once. */
const BATCH_SIZE = 100

/** When an invoice is collected for the first time after a datetime. */
export async function nextCollecting({ tx }: Work, after: string): Promise<string | undefined> {
  const [first] = await tx.run(firstAfter, { after })
  return first?.collect_at
}

/** The next invoices behind `last`, in the order of time, that are collected until a datetime; a portion of them. */
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
