import { type SelectQueryBuilder, sql } from 'kysely'
import { ApiError } from '../../engine/core/request/api-error.js'
import type { AdminRules } from '../../engine/core/write/rule.js'
import type { Work } from '../../engine/core/write/work.js'
import type { Tables, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { digitsOfTime, timeOfId } from '../../schema/id-time.js'
import { zoneOf } from '../billing/invoices/invoice-days.js'
import { selectPostings } from '../ledger/own-postings.js'
import { refundable, storedTransaction } from '../ledger/stored-transaction.js'
import { refundRefusal } from '../payments/refund/refund-payment.js'
import { captureRefusal } from '../payments/take/capture-payment.js'
import { voidRefusal } from '../payments/take/void-payment.js'
import { eventIdAt } from '../webhooks/event-ids.js'
import { type Step, stepsOf, type Traces } from './steps.js'
import { whereabouts } from './whereabouts.js'

/** Maximum number of rows of each kind that are shown. A deposit has a ledger entry for each of its payments. */
const MAX_EXPLAINED = 1_000

/** Rule of `explain_transaction`: the history of a transaction, and where its money is. Throws `NotFound`. */
export const explainRule: Pick<AdminRules, 'explain_transaction'> = {
  explain_transaction: {
    async perform(work, { transaction_id: id }) {
      const row = typeof id === 'string' ? await work.find(resources.transaction, id) : undefined
      if (!row) throw new ApiError('NotFound', `There is no transaction ${id}`)
      const traces = await tracesOf(work, row.id)
      const { type, amount, status, funding_status, processing_id } = row
      return {
        transaction_id: row.id,
        type,
        amount,
        status,
        funding_status,
        processing_id,
        ...openActions(row, traces),
        timezone: processing_id === null ? null : await zoneOf(work, processing_id),
        whereabouts: whereabouts(row, await depositOf(work, row, traces)),
        steps: stepsOf(traces).map((step: Step) => ({ ...step })),
      }
    },
  },
}

/**
 * The amount that can still be refunded, and the actions that the state of a transaction allows. The rules of these
 * actions decide.
 */
function openActions(row: TransactionRow, { entries }: Traces) {
  const { type, status, amount, processing_id: owner } = row
  if (type === null || status === null || amount === null || owner === null)
    return { refundable: 0, allows: '[]' }
  const stored = storedTransaction(row)
  const isDisputed = entries.some(({ entry_type: entry }) => DISPUTES.includes(entry))
  const left = type === 'payment' && status === 'processed' ? refundable(stored) : 0
  const allows = [
    ...(left > 0 && !refundRefusal(stored, left) ? ['refund'] : []),
    ...(voidRefusal(stored, isDisputed) ? [] : ['void']),
    ...(captureRefusal(stored) ? [] : ['capture']),
  ]
  return { refundable: left, allows: JSON.stringify(allows) }
}

const DISPUTES: readonly (string | null)[] = ['chargeback', 'chargeback_reversal']

/** Maximum error of the time in an id, in milliseconds: clocks differ between machines. */
const SKEW = 120_000

async function tracesOf({ tx }: Work, id: string): Promise<Traces> {
  const { db } = tx
  // No index finds events and logs by their object. The condition on ids skips those older than the transaction.
  const since = Math.max(timeOfId(id) - SKEW, 0)
  return {
    events: await inOrder(
      db.selectFrom('events').selectAll().where('object_id', '=', id).where('id', '>=', eventIdAt(since)),
    ),
    entries: await inOrder(db.selectFrom('transaction_ledgers').selectAll().where('transaction_id', '=', id)),
    postings: await inOrder(selectPostings(tx, id)),
    items: await inOrder(
      db
        .selectFrom('line_items')
        .selectAll()
        .where('transaction_id', '=', id)
        .where('deleted_at', 'is', null),
    ),
    logs: await inOrder(
      db
        .selectFrom('webhook_logs')
        .selectAll()
        .where('triggered_on__id', '=', id)
        .where('id', '>=', digitsOfTime(since)),
    ),
  }
}

async function inOrder<T extends keyof Tables, R>(query: SelectQueryBuilder<Tables, T, R>): Promise<R[]> {
  return await query.orderBy(sql.ref('id')).limit(MAX_EXPLAINED).execute()
}

/** The last deposit, or reversal of a business day, that includes the transaction. */
async function depositOf(
  work: Work,
  { period }: TransactionRow,
  { entries }: Traces,
): Promise<TransactionRow | undefined> {
  if (period !== null) return undefined
  for (const { assoc_transaction_id: id } of entries.toReversed()) {
    const other = id === null ? undefined : await work.find(resources.transaction, id)
    if (other && other.period !== null) return other
  }
  return undefined
}
