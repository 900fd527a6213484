import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import { dateOf } from '../../schema/datetime.js'
import type { JsonObject } from '../../schema/json.js'

/** Maximum number of objects that the error names for each kind. */
const MAX_NAMED = 10

/** An object for which a customer is still needed, and the processing account of that object. */
interface OpenAffair {
  readonly id: string
  readonly processing_id: string | null
}

/**
 * Refuses to delete a customer with open invoices, active schedules or pending transactions, even those that the
 * caller cannot see. Throws `InvalidAttributes`, which names those that the caller can see. See docs/interface.md,
 * "Deleting".
 */
export async function refuseOpenAffairs(work: Work, customerId: string): Promise<void> {
  const { tx, now } = work
  const problems: JsonObject = {}
  const judge = (name: string, words: string, found: readonly OpenAffair[]) => {
    if (found.length > 0) problems[name] = `Has ${words}: ${namesOf(work, found)}`
  }
  judge('invoices', 'open invoices', await tx.run(openInvoices, { customerId }))
  judge(
    'billing_schedules',
    'active schedules',
    await tx.run(activeSchedules, { customerId, today: dateOf(now) }),
  )
  judge('transactions', 'pending transactions', await tx.run(pendingTransactions, { customerId }))
  if (Object.keys(problems).length > 0) throw invalidAttributes(problems)
}

function namesOf({ principal: { processingIds } }: Work, found: readonly OpenAffair[]): string {
  const seen = processingIds
    ? found.filter(({ processing_id: id }) => id !== null && processingIds.includes(id))
    : found
  const named = seen.slice(0, MAX_NAMED).map(({ id }) => id)
  const isMore = named.length < found.length
  return [...named, ...(isMore ? [named.length === 0 ? 'of others' : 'and more'] : [])].join(', ')
}

const openInvoices = prepared<{ customerId: string }, OpenAffair>((db, param) =>
  db
    .selectFrom('invoices')
    .select(['id', 'processing_id'])
    .where('customer_id', '=', param('customerId'))
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('item_count', '=', 0), eb('amount_due', '>', 0)]))
    .orderBy('id')
    .limit(MAX_NAMED + 1),
)

/** A schedule that has ended, or has no frequency, makes no more invoices. */
const activeSchedules = prepared<{ customerId: string; today: string }, OpenAffair>((db, param) =>
  db
    .selectFrom('billing_schedules')
    .select(['id', 'processing_id'])
    .where('customer_id', '=', param('customerId'))
    .where('deleted_at', 'is', null)
    .where('recurring_frequency', 'is not', null)
    .where((eb) => eb.or([eb('end_date', 'is', null), eb('end_date', '>=', param('today'))]))
    .orderBy('id')
    .limit(MAX_NAMED + 1),
)

const pendingTransactions = prepared<{ customerId: string }, OpenAffair>((db, param) =>
  db
    .selectFrom('transactions')
    .select(['id', 'processing_id'])
    .where('customer_id', '=', param('customerId'))
    .where('deleted_at', 'is', null)
    .where((eb) =>
      eb.or([eb('status', 'in', ['authorized', 'processing']), eb('pending_operation', 'is not', null)]),
    )
    .orderBy('id')
    .limit(MAX_NAMED + 1),
)
