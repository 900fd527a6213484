import { sql } from 'kysely'
import { invalidAttributes } from '../../engine/core/request/api-error.js'
import type { Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { LineItemRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney, type Minor } from '../../schema/money.js'
import { busy } from '../ledger/stored-transaction.js'
import { countItems, exceedsDue, lockInvoice, noChange } from './totals.js'
import { unallocated } from './unallocated.js'

/**
 * A payment, an invoice, and the amount of the payment that pays the invoice: minor units above zero; if omitted, as
 * much as fits.
 */
export interface Allocation {
  readonly payment: TransactionRow
  readonly invoiceId: string
  readonly requested: Minor | undefined
}

/** Stored values of an allocation's line item; the amount of a payment is below zero. */
export type Allocated = Pick<LineItemRow, 'amount' | 'total' | 'payment_outcome' | 'set_aside'>

/**
 * Pays an invoice with (a part of) a payment, or sets that part aside until the payment is processed. The part never
 * exceeds what the payment has left, or what is due on the invoice. Throws `InvalidAttributes`. See docs/money.md,
 * "Invoices".
 */
export async function allocate(work: Work, allocation: Allocation): Promise<Allocated> {
  const { payment, invoiceId, requested } = allocation
  if (payment.type !== 'payment')
    throw invalidAttributes({ transaction_id: `Only a payment pays an invoice, this is a ${payment.type}` })
  const { invoice, due } = await lockInvoice(work, invoiceId)
  if (invoice.processing_id !== payment.processing_id)
    throw invalidAttributes({ invoice_id: 'Is paid to another processing account' })
  switch (payment.status) {
    case 'processed':
      return await payNow(work, allocation, takenOf({ requested, due, left: unallocated(payment) }))
    case 'authorized':
    case 'processing': {
      const before = await setAsideOf(work, payment, invoiceId)
      const left = (payment.amount ?? 0) - before.sum
      const taken = takenOf({ requested, due: due - before.ofInvoice, left })
      return {
        amount: requested === undefined ? null : -requested,
        total: 0,
        payment_outcome: payment.status === 'processing' ? 'open' : null,
        set_aside: taken,
      }
    }
    default:
      throw invalidAttributes({
        transaction_id: `Only a processed payment pays an invoice, this is ${payment.status}`,
      })
  }
}

/**
 * Amount that a payment by hand pays of an invoice: the requested one, or all that is due. Throws
 * `InvalidAttributes`.
 */
export async function payByHand(work: Work, invoiceId: string, requested: Minor | undefined): Promise<Minor> {
  const { due } = await lockInvoice(work, invoiceId)
  const paid = takenOf({ requested: requested, due, left: Number.POSITIVE_INFINITY })
  await countItems(work, invoiceId, { ...noChange, paid })
  return paid
}

interface Fitting {
  readonly requested: Minor | undefined
  /** Amount due on the invoice. */
  readonly due: Minor
  /** Amount of the payment that is not allocated. */
  readonly left: Minor
}

/**
 * Amount of an allocation. Throws `InvalidAttributes` for more than fits, and when no amount is due, so that a paid
 * invoice is never charged again.
 */
function takenOf({ requested, due, left }: Fitting): Minor {
  if (due <= 0 || (requested ?? 0) > due) throw invalidAttributes({ amount: exceedsDue(due) })
  if (left <= 0 || (requested ?? 0) > left) throw invalidAttributes({ amount: exceedsLeft(left) })
  return requested ?? Math.min(due, left)
}

function exceedsLeft(left: Minor): string {
  return `Exceeds unallocated amount of ${formatMoney(Math.max(0, left))}`
}

async function payNow(work: Work, { payment, invoiceId }: Allocation, taken: Minor): Promise<Allocated> {
  const claimed = await work.tx.change(claim, { id: payment.id, amount: taken, now: work.now })
  const after = await work.refresh(resources.transaction, payment.id)
  if (claimed === 0) {
    if (after.pending_operation !== null) throw busy(after)
    throw invalidAttributes({ amount: exceedsLeft(unallocated(after)) })
  }
  await countItems(work, invoiceId, { ...noChange, paid: taken })
  return { amount: -taken, total: -taken, payment_outcome: null, set_aside: null }
}

/** Sums that a payment sets aside for invoices until it is processed: for all invoices, and for the given one. */
async function setAsideOf(
  work: Work,
  { id }: TransactionRow,
  invoiceId: string,
): Promise<{ readonly sum: Minor; readonly ofInvoice: Minor }> {
  const items = await work.findBy(resources.line_item, 'transaction_id', id)
  const sumOf = (some: typeof items) => some.reduce((sum, { set_aside: aside }) => sum + (aside ?? 0), 0)
  return { sum: sumOf(items), ofInvoice: sumOf(items.filter((item) => item.invoice_id === invoiceId)) }
}

interface Claim {
  readonly id: string
  /** Minor units. */
  readonly amount: Minor
  readonly now: string
}

/**
 * Adds to `allocated` if that much of the payment is left. The statement itself decides, so concurrent allocations
 * cannot exceed the payment.
 */
const claim = prepared<Claim, never>((db, param) =>
  db
    .updateTable('transactions')
    .set((eb) => ({ allocated: eb('allocated', '+', param('amount')), modified_at: param('now') }))
    .where('id', '=', param('id'))
    .where('type', '=', 'payment')
    .where('status', '=', 'processed')
    .where('pending_operation', 'is', null)
    .where(sql<boolean>`allocated + refunded + charged_back + ${param('amount')} <= amount`),
)
