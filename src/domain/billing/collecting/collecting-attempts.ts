import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type {
  CollectionRow,
  InvoiceRow,
  PaymentMethodRow,
  TransactionRow,
} from '../../../engine/store/database/tables.js'
import { isPresentedAgain, isReturn } from '../../../schema/status-codes.js'
import { identifiedBy } from '../../accounts/barred-method.js'
import { isUnavailable } from '../../payments/pending/gateway-answer.js'
import { type Attempt, mayPresent } from './next-step.js'

/**
 * An attempt to collect an invoice, with the columns of its payment. They are null if the payment was refused before
 * it was stored.
 */
type Tried = Pick<
  CollectionRow,
  'attempt_date' | 'created_at' | 'requested' | 'payment_method_id' | 'identified_by'
> & {
  readonly method_type: PaymentMethodRow['type']
  readonly status: TransactionRow['status']
  readonly status_code: string | null
  readonly processed_date: string | null
}

/** Attempts to collect an invoice, oldest first. */
export async function collectionsOf(work: Work, invoiceId: string): Promise<readonly Tried[]> {
  return await work.tx.run(attempts, { invoiceId })
}

/**
 * The attempts whose payment has an outcome. `since` is the datetime at which automatic attempts were last restarted,
 * or null.
 */
export function decidedAttempts(tried: readonly Tried[], since: string | null): Attempt[] {
  return tried.flatMap((row) => {
    const { attempt_date: date, created_at: at, requested, status, status_code: code } = row
    if (status === 'processing' || status === 'authorized') return []
    const decided = isFailed(row) ? 'failed' : 'paid'
    const outcome = code !== null && isUnavailable(code) ? 'unsent' : decided
    return [{ date, outcome, isRequested: requested > 0, isEarlier: since !== null && at < since }]
  })
}

/**
 * Whether an attempt failed, so that another may follow. A payment that the bank returned has failed. A payment that
 * was taken and then voided or refunded has not: a person decides about that invoice.
 */
function isFailed({ status, status_code: code, processed_date: processed }: Tried): boolean {
  switch (status) {
    case null:
    case 'declined':
      return true
    case 'voided':
      return processed === null
    case 'rejected':
      return isReturn(code)
    default:
      return false
  }
}

/**
 * Whether the bank network's rules for returned debits still allow charging this method for an invoice, after these
 * attempts.
 */
export function isPresentable(tried: readonly Tried[], method: PaymentMethodRow, today: string): boolean {
  const by = identifiedBy(method)
  const returned = tried.filter(
    (row) => isReturned(row) && row.payment_method_id === method.id && row.identified_by === by,
  )
  return mayPresent(
    returned.map(({ attempt_date: date }) => date),
    today,
  )
}

/**
 * Whether the bank returned a debit for lack of money. Some gateways report that with their code for cards,
 * `insufficient_bal`.
 */
function isReturned({ method_type: type, status, status_code: code }: Tried): boolean {
  if (type !== 'bank_account' || (status !== 'rejected' && status !== 'declined')) return false
  return isPresentedAgain(code) || code === 'insufficient_bal'
}

/** An attempt to be recorded. */
interface NewAttempt {
  readonly invoice: InvoiceRow
  readonly method: PaymentMethodRow | undefined
  readonly today: string
  readonly transactionId: string | null
  /** Reason why the payment was refused before it reached a gateway; null if it was not. */
  readonly refusal: string | null
  /** 0 for the automatic attempt of the day; 1, 2 and so on for those that people requested on that day. */
  readonly requested: number
}

/**
 * Records an attempt in the unit of work of its payment. A unique index over invoice, day and `requested` allows one
 * automatic attempt a day.
 */
export async function recordAttempt(
  work: Work,
  { invoice, method, today, transactionId, refusal, requested }: NewAttempt,
): Promise<void> {
  await work.tx.db
    .insertInto('collections')
    .values({
      id: work.newId(''),
      invoice_id: invoice.id,
      attempt_date: today,
      transaction_id: transactionId,
      refusal,
      payment_method_id: method?.id ?? null,
      identified_by: method ? identifiedBy(method) : null,
      requested,
      created_at: work.now,
    })
    .execute()
}

const attempts = prepared<{ invoiceId: string }, Tried>((db, param) =>
  db
    .selectFrom('collections')
    .leftJoin('transactions', 'transactions.id', 'collections.transaction_id')
    .leftJoin('payment_methods', 'payment_methods.id', 'collections.payment_method_id')
    .select([
      'collections.attempt_date',
      'collections.created_at',
      'collections.requested',
      'collections.payment_method_id',
      'collections.identified_by',
      'payment_methods.type as method_type',
      'transactions.status',
      'transactions.status_code',
      'transactions.processed_date',
    ])
    .where('collections.invoice_id', '=', param('invoiceId'))
    .orderBy('collections.attempt_date')
    .orderBy('collections.requested'),
)
