import { authorize } from '../../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import { withDetailPath } from '../../../engine/core/request/error-details.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { LineItemRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { Minor } from '../../../schema/money.js'
import type { Input, InputFor } from '../../../schema/types.js'
import { type Allocated, allocate, payByHand } from '../../allocations/allocate.js'
import { payingInvoice, termsOfInvoice } from '../../allocations/new-payment.js'

type ItemInput = InputFor<typeof resources.line_item>

/**
 * Creates a payment item: for an existing payment (`transaction_id`), for a payment taken in this request
 * (`payment`), or for money received otherwise, such as cash. Its amount is stored as a negative number, whichever
 * sign was sent. The default is the largest amount that invoice and payment allow. Spec: "Line item". Throws
 * `InvalidAttributes`.
 */
export async function createPaymentItem(
  work: Work,
  invoiceId: string,
  { payment: tree, ...input }: ItemInput,
): Promise<LineItemRow> {
  const requested = paidAmount(input.amount)
  refuseQty(input.qty)
  const payment = await paymentOf(work, invoiceId, input.transaction_id ?? idOf(tree), tree)
  const allocated = await allocatedOf(work, invoiceId, payment, requested)
  const { payment_outcome, set_aside, ...counted } = allocated
  const row = await work.createPlainly(resources.line_item, {
    ...input,
    ...counted,
    qty: 1,
    transaction_id: payment?.id ?? null,
  })
  if (payment_outcome === null && set_aside === null) return row
  return await work.change(resources.line_item, row.id, { payment_outcome, set_aside })
}

/** The amount that a payment item pays, without a sign; undefined when none was sent. Throws `InvalidAttributes`. */
export function paidAmount(amount: Minor | null | undefined): Minor | undefined {
  if (amount === 0) throw invalidAttributes({ amount: 'Must not be 0' })
  return amount === null || amount === undefined ? undefined : Math.abs(amount)
}

/** Throws `InvalidAttributes` unless the quantity of a payment item is 1. */
export function refuseQty(qty: number | null | undefined): void {
  if ((qty ?? 1) !== 1) throw invalidAttributes({ qty: 'Must be 1 for a payment' })
}

async function allocatedOf(
  work: Work,
  invoiceId: string,
  payment: TransactionRow | undefined,
  requested: Minor | undefined,
): Promise<Allocated> {
  if (payment?.status === 'declined')
    return { amount: 0, total: 0, payment_outcome: 'declined', set_aside: null }
  if (payment) return await allocate(work, { payment, invoiceId, requested })
  const paid = await payByHand(work, invoiceId, requested)
  return { amount: -paid, total: -paid, payment_outcome: null, set_aside: null }
}

async function paymentOf(
  work: Work,
  invoiceId: string,
  id: string | undefined,
  tree: Input | null | undefined,
): Promise<TransactionRow | undefined> {
  if (id === undefined)
    return tree ? await withDetailPath(['payment'], () => take(work, invoiceId, tree)) : undefined
  if (tree && tree.id !== id) throw invalidAttributes({ payment: 'Must not be sent with transaction_id' })
  const payment = await work.lock(resources.transaction, id)
  if (!payment) throw invalidAttributes({ transaction_id: 'Not found' })
  if (payment.status === 'declined')
    throw invalidAttributes({ transaction_id: 'Only a processed payment pays an invoice, this is declined' })
  return payment
}

/** Takes the payment that was sent with its item. Payer and processing account default to those of the invoice. */
async function take(work: Work, invoiceId: string, tree: Input): Promise<TransactionRow> {
  if (tree.type !== 'payment') throw invalidAttributes({ type: 'Must be one of: payment' })
  const invoice = await work.find(resources.invoice, invoiceId)
  if (!invoice) throw invalidAttributes({ invoice_id: 'Not found' })
  authorize(work.principal, 'POST', resources.transaction)
  return await payingInvoice(work, invoiceId, () =>
    work.create(resources.transaction, { ...tree, ...termsOfInvoice(tree, invoice) }),
  )
}

function idOf(tree: Input | null | undefined): string | undefined {
  return typeof tree?.id === 'string' ? tree.id : undefined
}
