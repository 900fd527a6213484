import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { CollectionRow, TransactionRow } from '../../../engine/store/database/tables.js'
import type { Attempt } from './next-step.js'

/** The attempts to collect an invoice, oldest first; those whose payment has no outcome yet are left out. */
export async function attemptsOf(work: Work, invoiceId: string): Promise<Attempt[]> {
  return (await work.tx.run(attempts, { invoiceId })).flatMap((row) => {
    const { attempt_date: date, status, status_code: statusCode } = row
    if (status === 'processing' || status === 'authorized') return []
    const isFailed = status === null || status === 'declined' || status === 'voided'
    return [{ date, outcome: isFailed ? 'failed' : 'paid', statusCode }]
  })
}

/** Writes an attempt down, in the unit of work of its payment: one an invoice and day, whoever else tries. */
export async function writeAttempt(
  work: Work,
  attempt: Pick<CollectionRow, 'invoice_id' | 'attempt_date' | 'transaction_id' | 'refusal'>,
): Promise<void> {
  await work.tx.db
    .insertInto('collections')
    .values({ ...attempt, id: work.newId(''), created_at: work.now })
    .execute()
}

/** Whether a payment that is meant for an invoice has no outcome yet, or is not captured. */
export async function hasOpenPayment(work: Work, invoiceId: string): Promise<boolean> {
  const [open] = await work.tx.run(openPayment, { invoiceId })
  return open !== undefined
}

type Tried = Pick<CollectionRow, 'attempt_date'> & {
  readonly status: TransactionRow['status']
  readonly status_code: string | null
}

const attempts = prepared<{ invoiceId: string }, Tried>((db, param) =>
  db
    .selectFrom('collections')
    .leftJoin('transactions', 'transactions.id', 'collections.transaction_id')
    .select(['collections.attempt_date', 'transactions.status', 'transactions.status_code'])
    .where('collections.invoice_id', '=', param('invoiceId'))
    .orderBy('collections.attempt_date'),
)

const openPayment = prepared<{ invoiceId: string }, { id: string }>((db, param) =>
  db
    .selectFrom('line_items')
    .innerJoin('transactions', 'transactions.id', 'line_items.transaction_id')
    .select('transactions.id')
    .where('line_items.invoice_id', '=', param('invoiceId'))
    .where('line_items.deleted_at', 'is', null)
    .where('transactions.status', 'in', ['processing', 'authorized'])
    .limit(1),
)
