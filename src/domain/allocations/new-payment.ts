import { authorize } from '../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../engine/core/request/api-error.js'
import { withDetailPath } from '../../engine/core/request/error-details.js'
import type { Work } from '../../engine/core/write/work.js'
import type { InvoiceRow, TransactionRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Input, InputFor } from '../../schema/types.js'

type TransactionInput = InputFor<typeof resources.transaction>

/** Requires the permission to create line items if allocations are sent. Throws `Forbidden`. */
export function authorizeAllocations({ principal }: Work, input: TransactionInput): void {
  if (allocationsOf(input).length > 0) authorize(principal, 'POST', resources.line_item)
}

/**
 * Attributes of a payment that follow from its invoices: the account that receives it and, unless the request names
 * the payer, the customer.
 */
export type InvoiceTerms = Pick<TransactionInput, 'customer_id' | 'processing_id'>

/**
 * The attributes that follow from the invoices that a payment pays; undefined if it pays none. Throws
 * `InvalidAttributes` on `allocations`.
 */
export async function invoiceTerms(work: Work, input: TransactionInput): Promise<InvoiceTerms | undefined> {
  const invoices: InvoiceRow[] = []
  for (const [index, allocation] of allocationsOf(input).entries())
    invoices.push(await withDetailPath(['allocations', String(index)], () => invoiceOf(work, allocation)))
  const [first] = invoices
  if (!first) return undefined
  const isOneCustomers = invoices.every(({ customer_id }) => customer_id === first.customer_id)
  return termsOfInvoice(input, isOneCustomers ? first : { ...first, customer_id: null })
}

/**
 * Ids of the invoices that a payment is to pay. Its allocations name them, or the line item that is created together
 * with the payment.
 */
export function paidInvoices({ openTrees }: Work, input: TransactionInput): readonly string[] {
  const allocated = allocationsOf(input).flatMap(({ invoice_id: id }) => (typeof id === 'string' ? [id] : []))
  return [...allocated, ...(openTrees.get(resources.line_item)?.keys() ?? [])]
}

/**
 * Takes a payment that a line item will allocate to an invoice. Until the item is written, `openTrees` has the id of
 * the invoice.
 */
export async function payingInvoice(
  { openTrees }: Work,
  invoiceId: string,
  take: () => Promise<TransactionRow>,
): Promise<TransactionRow> {
  openTrees.set(resources.line_item, new Map([[invoiceId, {}]]))
  try {
    return await take()
  } finally {
    openTrees.delete(resources.line_item)
  }
}

/** The attributes that follow from the only invoice that a payment pays. */
export function termsOfInvoice(
  input: TransactionInput,
  { customer_id, processing_id }: Pick<InvoiceRow, 'customer_id' | 'processing_id'>,
): InvoiceTerms {
  const isPayerNamed =
    input.customer_id || input.customer || input.payment_method_id || input.payment_method?.id
  const isDestinationNamed = input.processing_id || input.processing
  return { ...(isPayerNamed ? {} : { customer_id }), ...(isDestinationNamed ? {} : { processing_id }) }
}

/**
 * Writes the line items by which a new payment pays invoices, with the rule of line items. A declined payment gets no
 * line items. Throws `InvalidAttributes` on `allocations`. See docs/money.md, "Invoices".
 */
export async function writeAllocations(
  work: Work,
  input: TransactionInput,
  payment: TransactionRow,
): Promise<void> {
  if (payment.status === 'declined') return
  for (const [index, allocation] of allocationsOf(input).entries()) {
    await withDetailPath(['allocations', String(index)], () =>
      work.create(resources.line_item, { ...allocation, transaction_id: payment.id }),
    )
  }
}

function allocationsOf({ allocations }: TransactionInput): readonly Input[] {
  return allocations ?? []
}

async function invoiceOf(work: Work, { id, invoice_id: invoiceId }: Input): Promise<InvoiceRow> {
  if (id !== undefined && id !== null) throw invalidAttributes({ id: 'Not found' })
  const invoice = typeof invoiceId === 'string' ? await work.find(resources.invoice, invoiceId) : undefined
  if (!invoice) throw invalidAttributes({ invoice_id: 'Not found' })
  return invoice
}
