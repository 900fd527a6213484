import type { Work } from '../../engine/core/write/work.js'
import type { LineItemRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Minor } from '../../schema/money.js'
import { decideFits, lockAllocations } from './fit-allocations.js'
import { countItems, lockInvoice, noChange } from './totals.js'
import { unallocated } from './unallocated.js'

/**
 * Adjusts the allocations of a payment to its new state. A processed payment pays the amounts that were set aside for
 * invoices. Allocations beyond its remaining worth are undone, the newest first, and restored when a dispute is won.
 * See docs/money.md, "Invoices".
 */
export async function followPayment(
  work: Work,
  before: TransactionRow,
  after: TransactionRow,
): Promise<TransactionRow> {
  if (after.type !== 'payment') return after
  if (isUndecided(before) && before.status !== after.status) return await decideSetAside(work, after)
  const left = unallocated(after)
  if (left < 0) return await compensate(work, before, after, -left)
  const won = (before.charged_back ?? 0) - (after.charged_back ?? 0)
  return won > 0 ? await restoreAllocations(work, after, Math.min(won, left), 'Dispute won') : after
}

function isUndecided({ status }: TransactionRow): boolean {
  return status === 'processing' || status === 'authorized'
}

/**
 * Pays the amounts that were set aside for invoices as far as they still fit, or removes them if the payment failed.
 * If the payment was captured in part, its newest allocations pay less.
 */
async function decideSetAside(work: Work, payment: TransactionRow): Promise<TransactionRow> {
  if (payment.status === 'authorized') return await openUntilCaptured(work, payment)
  const isPaid = payment.status === 'processed'
  const { items, due } = await lockAllocations(work, payment.id)
  const fits = new Map(
    decideFits(items, isPaid ? (payment.amount ?? 0) : 0, due).map((each) => [each.itemId, each.fits]),
  )
  let allocated = 0
  for (const item of items) {
    const paid = fits.get(item.id) ?? 0
    allocated += paid
    if (item.invoice_id !== null) await countItems(work, item.invoice_id, { ...noChange, paid })
    await work.change(resources.line_item, item.id, {
      amount: 0 - paid,
      total: 0 - paid,
      payment_outcome: payment.status === 'declined' ? 'declined' : null,
      set_aside: null,
    })
  }
  return allocated > 0 ? await work.change(resources.transaction, payment.id, { allocated }) : payment
}

/** Records in the line items that the authorization has succeeded. The amounts stay set aside until the capture. */
async function openUntilCaptured(work: Work, payment: TransactionRow): Promise<TransactionRow> {
  for (const { id } of await work.findBy(resources.line_item, 'transaction_id', payment.id))
    await work.change(resources.line_item, id, { payment_outcome: null })
  return payment
}

async function compensate(
  work: Work,
  before: TransactionRow,
  after: TransactionRow,
  excess: Minor,
): Promise<TransactionRow> {
  const items = await work.findBy(resources.line_item, 'transaction_id', after.id)
  for (const { invoiceId, amount } of decideCompensation(items, excess))
    await writeItem(work, after, invoiceId, { total: amount, description: reasonOf(before, after) })
  return await work.change(resources.transaction, after.id, { allocated: (after.allocated ?? 0) - excess })
}

/**
 * Restores allocations of a payment, up to `amount` in minor units. The latest undone allocation is restored first, as
 * far as its invoice has an amount due.
 */
export async function restoreAllocations(
  work: Work,
  payment: TransactionRow,
  amount: Minor,
  description: string,
): Promise<TransactionRow> {
  const back = Math.min(amount, unallocated(payment))
  const items = await work.findBy(resources.line_item, 'transaction_id', payment.id)
  const contraItems = items.map(({ invoice_id, total }) => ({ invoice_id, total: 0 - (total ?? 0) }))
  let given = 0
  for (const { invoiceId, amount: undone } of decideCompensation(contraItems, back)) {
    const { due } = await lockInvoice(work, invoiceId)
    const paid = Math.min(undone, Math.max(0, due))
    if (paid > 0) await writeItem(work, payment, invoiceId, { total: -paid, description })
    given += paid
  }
  if (given === 0) return payment
  return await work.change(resources.transaction, payment.id, { allocated: (payment.allocated ?? 0) + given })
}

async function writeItem(
  work: Work,
  { id }: TransactionRow,
  invoiceId: string,
  { total, description }: { readonly total: Minor; readonly description: string },
): Promise<void> {
  await work.insert(resources.line_item, {
    ...work.blank(resources.line_item),
    invoice_id: invoiceId,
    entry_type: 'payment',
    description,
    amount: total,
    qty: 1,
    total,
    transaction_id: id,
  })
  await countItems(work, invoiceId, { ...noChange, paid: -total })
}

/** Reason why an invoice loses the amount that a payment had paid. */
function reasonOf(before: TransactionRow, { status, charged_back: chargedBack }: TransactionRow): string {
  if (status === 'voided') return 'Payment voided'
  if (status === 'rejected') return 'Payment rejected'
  return (chargedBack ?? 0) > (before.charged_back ?? 0) ? 'Payment charged back' : 'Payment refunded'
}

type Item = Pick<LineItemRow, 'invoice_id' | 'total'>

/** Amount that a payment no longer pays of an invoice. Minor units above zero. */
interface Compensation {
  readonly invoiceId: string
  readonly amount: Minor
}

/**
 * Decides from which invoices a payment withdraws `excess`: the newest allocation first. `items` are its line items,
 * oldest first; those above zero are earlier withdrawals. See docs/money.md, "Invoices".
 */
export function decideCompensation(items: readonly Item[], excess: Minor): Compensation[] {
  const takenBack = new Map<string, Minor>()
  const compensations: Compensation[] = []
  let left = excess
  for (const { invoice_id: invoiceId, total } of items.toReversed()) {
    if (invoiceId === null || total === null) continue
    const before = takenBack.get(invoiceId) ?? 0
    if (total > 0) {
      takenBack.set(invoiceId, before + total)
      continue
    }
    const covered = Math.min(before, -total)
    takenBack.set(invoiceId, before - covered)
    const amount = Math.min(left, -total - covered)
    if (amount > 0) compensations.push({ invoiceId, amount })
    left -= amount
  }
  return compensations
}
