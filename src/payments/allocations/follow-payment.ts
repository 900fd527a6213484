import type { Work } from '../../core/work.js'
import type { Minor } from '../../schema/money.js'
import type { LineItemRow, TransactionRow } from '../../store/tables.js'
import { decideCompensation } from './compensation.js'
import { countItems, lockInvoice, noChange } from './totals.js'
import { unallocated } from './unallocated.js'

/**
 * Makes the allocations of a payment follow what became of it: once processed it pays what was set aside for invoices;
 * what it is not worth any more is taken back, the newest allocation first. Money: "Invoices".
 */
export async function followPayment(
  work: Work,
  before: TransactionRow,
  after: TransactionRow,
): Promise<TransactionRow> {
  if (after.type !== 'payment') return after
  if (isUndecided(before) && before.status !== after.status) return await decideSetAside(work, after)
  const excess = -unallocated(after)
  const isTooMuch = (after.allocated ?? 0) > 0 && excess > 0
  return isTooMuch ? await compensate(work, before, after, excess) : after
}

function isUndecided({ status }: TransactionRow): boolean {
  return status === 'processing' || status === 'authorized'
}

/** What was set aside for invoices is paid as far as it still fits, or falls away with the payment. */
async function decideSetAside(work: Work, payment: TransactionRow): Promise<TransactionRow> {
  const items = await work.findBy('line_item', 'transaction_id', payment.id)
  const whole = payment.amount ?? 0
  let left = whole
  for (const item of items.toSorted(byInvoice)) {
    const paid = payment.status === 'processed' ? await payAside(work, item, left) : 0
    left -= paid
    await work.change('line_item', item.id, decided(payment, item, paid))
  }
  return left < whole ? await work.change('transaction', payment.id, { allocated: whole - left }) : payment
}

/** Rows are locked in the order of their ids, so that no two units of work wait for each other. */
function byInvoice(a: LineItemRow, b: LineItemRow): number {
  return `${a.invoice_id} ${a.id}` < `${b.invoice_id} ${b.id}` ? -1 : 1
}

/** Pays an invoice what was meant for it, or less where it is paid meanwhile. */
async function payAside(
  work: Work,
  { invoice_id: invoiceId, amount }: LineItemRow,
  left: Minor,
): Promise<Minor> {
  if (invoiceId === null) return 0
  const { due } = await lockInvoice(work, invoiceId)
  const paid = Math.max(0, Math.min(amount === null ? left : -amount, left, due))
  await countItems(work, invoiceId, { ...noChange, paid })
  return paid
}

function decided({ status }: TransactionRow, { amount }: LineItemRow, paid: Minor): Partial<LineItemRow> {
  if (status === 'authorized') return { amount, payment_outcome: null }
  return { amount: 0 - paid, total: 0 - paid, payment_outcome: status === 'declined' ? 'declined' : null }
}

async function compensate(
  work: Work,
  before: TransactionRow,
  after: TransactionRow,
  excess: Minor,
): Promise<TransactionRow> {
  const items = await work.findBy('line_item', 'transaction_id', after.id)
  for (const { invoiceId, amount } of decideCompensation(items, excess)) {
    await work.insert('line_item', {
      ...work.blank('line_item'),
      invoice_id: invoiceId,
      entry_type: 'payment',
      description: reasonOf(before, after),
      amount,
      qty: 1,
      total: amount,
      transaction_id: after.id,
    })
    await countItems(work, invoiceId, { ...noChange, paid: -amount })
  }
  return await work.change('transaction', after.id, { allocated: (after.allocated ?? 0) - excess })
}

/** Why an invoice loses what a payment had paid. */
function reasonOf(before: TransactionRow, { status, charged_back: chargedBack }: TransactionRow): string {
  if (status === 'voided') return 'Payment voided'
  if (status === 'rejected') return 'Payment returned'
  return (chargedBack ?? 0) > (before.charged_back ?? 0) ? 'Payment charged back' : 'Payment refunded'
}
