import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import type { LineItemRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney, LARGEST, type Minor } from '../../../schema/money.js'
import type { InputFor } from '../../../schema/types.js'
import { type Change, countItems, lockInvoice, minus, noChange } from '../../allocations/totals.js'
import { createPaymentItem, paidAmount, refuseQty } from './payment-item.js'

type ItemInput = InputFor<typeof resources.line_item>

/**
 * Rule of line items. Spec: "Line item". Every change of an item changes the totals of its invoice in the same unit
 * of work. See docs/money.md, "Invoices".
 */
export const lineItemRule: Rule<typeof resources.line_item> = {
  handles: ['payment'],

  async create(work, input) {
    const { invoice_id: invoiceId } = input
    if (!invoiceId) throw invalidAttributes({ invoice_id: 'Required' })
    if (input.entry_type === 'payment') return await createPaymentItem(work, invoiceId, input)
    return await createCharge(work, invoiceId, input)
  },

  async update(work, row, input) {
    const item = await lockItem(work, row)
    if (item.transaction_id !== null) refuseOtherPayment(item, input)
    const changed = await work.updatePlainly(resources.line_item, item, {
      ...input,
      ...pricedAnew(item, input),
    })
    // The item of a transaction is counted where the transaction changes, which may happen in the same request.
    if (item.transaction_id === null) await recount(work, item, changed)
    return changed
  },

  async delete(work, row) {
    const item = await lockItem(work, row)
    if (item.transaction_id !== null && item.total !== 0)
      throw invalidAttributes({ transaction_id: 'What a transaction pays is not deleted: void or refund it' })
    await work.deletePlainly(resources.line_item, item)
    if (item.invoice_id !== null) await countItems(work, item.invoice_id, minus(noChange, countOf(item)))
  },

  answeredAs: ({ payment_outcome: outcome }) =>
    outcome === 'declined'
      ? { type: 'TransactionDeclined', description: 'The payment was declined; it pays nothing' }
      : undefined,

  isOpen: ({ payment_outcome: outcome }) => outcome === 'open',
}

async function lockItem(work: Work, { id }: LineItemRow): Promise<LineItemRow> {
  const item = await work.lock(resources.line_item, id)
  if (!item) throw invalidAttributes({ id: 'Not found' })
  return item
}

async function createCharge(
  work: Work,
  invoiceId: string,
  { payment, ...input }: ItemInput,
): Promise<LineItemRow> {
  if (input.transaction_id) throw invalidAttributes({ transaction_id: 'Only for payments' })
  if (payment) throw invalidAttributes({ payment: 'Only for payments' })
  await lockInvoice(work, invoiceId)
  const row = await work.createPlainly(resources.line_item, { ...input, ...priceOf(input) })
  await countItems(work, invoiceId, countOf(row))
  return row
}

/**
 * Refuses another amount, quantity or invoice for the item of a transaction: it changes only with the transaction. A
 * client may send the stored values back.
 */
function refuseOtherPayment(item: LineItemRow, input: ItemInput): void {
  for (const name of ['amount', 'qty', 'invoice_id'] as const)
    if (input[name] !== undefined && input[name] !== item[name])
      throw invalidAttributes({ [name]: 'Read only' })
}

/** Amount, quantity and total of an item after a change. */
function pricedAnew(item: LineItemRow, input: ItemInput): Pick<LineItemRow, 'amount' | 'qty' | 'total'> {
  const { amount = item.amount, qty = item.qty } = input
  if (item.transaction_id !== null) return { amount: item.amount, qty: item.qty, total: item.total }
  if (item.entry_type !== 'payment') return priceOf({ amount, qty })
  refuseQty(qty)
  const paid = paidAmount(amount)
  if (paid === undefined) throw invalidAttributes({ amount: 'Required' })
  return { amount: -paid, qty: 1, total: -paid }
}

function priceOf({
  amount,
  qty,
}: Pick<ItemInput, 'amount' | 'qty'>): Pick<LineItemRow, 'amount' | 'qty' | 'total'> {
  if (amount === null || amount === undefined) throw invalidAttributes({ amount: 'Required' })
  const count = qty ?? 1
  return { amount, qty: count, total: itemTotal(amount, count) }
}

/**
 * Counts the change of an item in the totals of its invoice. If the item moved, both invoices are changed in the
 * order of their ids, which avoids deadlocks.
 */
async function recount(work: Work, before: LineItemRow, after: LineItemRow): Promise<void> {
  const from = before.invoice_id
  const to = after.invoice_id
  if (from === null || to === null) return
  if (from === to) {
    if (before.total !== after.total) await countItems(work, to, minus(countOf(after), countOf(before)))
    return
  }
  const steps: [invoiceId: string, change: Change][] = [
    [from, minus(noChange, countOf(before))],
    [to, countOf(after)],
  ]
  for (const [invoiceId, change] of steps.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    await countItems(work, invoiceId, change)
}

function countOf({ entry_type: type, total }: LineItemRow): Change {
  const amount = total ?? 0
  return type === 'payment' ? { due: 0, paid: 0 - amount, charges: 0 } : { due: amount, paid: 0, charges: 1 }
}

/**
 * `amount × qty`, in minor units. Throws `InvalidAttributes` if the result exceeds the largest amount that the API
 * allows.
 */
function itemTotal(amount: Minor, qty: number): Minor {
  if (Math.abs(amount) * qty > LARGEST)
    throw invalidAttributes({ amount: `Times qty must be at most ${formatMoney(LARGEST)}` })
  return amount * qty
}
