import { ApiError, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { InvoiceRow, PaymentLinkRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import { formatMoney, type Minor } from '../../../schema/money.js'
import { announceLink } from '../../allocations/complete-links.js'
import { readCheckoutOptions } from './checkout-options.js'
import type { TransactionInput } from './new-transaction.js'
import { namedId, newRelated } from './related-objects.js'

/** Attributes that a payment takes from its link instead of the input. */
type LinkTerms = Pick<
  TransactionInput,
  'description' | 'order_number' | 'processing' | 'processing_id' | 'customer' | 'customer_id' | 'allocations'
>

/**
 * Attributes of a payment through a link: the link decides its account, its customer and its invoice. A link that can
 * be paid once is reserved until the outcome of the payment is known. Undefined without a link. Throws
 * `InvalidAttributes`.
 */
export async function linkTerms(work: Work, input: TransactionInput): Promise<LinkTerms | undefined> {
  if (!input.payment_link_id) return undefined
  refuseTwice(work, input.payment_link_id)
  const link = await work.find(resources.payment_link, input.payment_link_id)
  const problem = link ? notPayable(link, work.now) : 'Not found'
  if (!link || problem) throw invalidAttributes({ payment_link_id: problem ?? 'Not found' })
  const invoice = link.invoice_id === null ? undefined : await invoiceOf(work, link.invoice_id)
  const wrong = amountProblem(link, invoice && (invoice.amount_due ?? 0), input.amount ?? 0)
  if (wrong) throw invalidAttributes(wrong)
  refuseOthers(link, input)
  refuseMethod(link, input)
  if (link.type === 'one_time') await takeLink(work, link.id)
  return {
    description: input.description ?? link.description ?? invoice?.description ?? null,
    order_number: input.order_number ?? link.order_number,
    processing: undefined,
    processing_id: link.processing_id,
    ...(link.customer_id !== null && { customer: undefined, customer_id: link.customer_id }),
    ...(invoice && { allocations: [paying(invoice, input)] }),
  }
}

/** Ids of the one-time links that each unit of work has reserved. */
const reserved = new WeakMap<Work, Set<string>>()

/**
 * Refuses a link that the same unit of work has already reserved. Otherwise a list that is rolled back would reveal
 * whether its first payment was declined, and so which card numbers have paid before. Throws `InvalidAttributes`.
 */
function refuseTwice(work: Work, id: string): void {
  if (reserved.get(work)?.has(id)) throw invalidAttributes({ payment_link_id: 'Is completed' })
}

/** Completes a one-time link after its payment, or frees it after a decline. */
export async function settleLink(work: Work, payment: TransactionRow): Promise<void> {
  const link = payment.payment_link_id
    ? await work.find(resources.payment_link, payment.payment_link_id)
    : undefined
  if (link?.type !== 'one_time') return
  if (payment.status === 'declined') await work.change(resources.payment_link, link.id, { taken: 0 })
  else if (link.status !== 'completed')
    announceLink(work, await work.change(resources.payment_link, link.id, { taken: 0, status: 'completed' }))
}

/** Completes a link on whose page a method was saved. */
export async function completeLink(work: Work, id: string): Promise<void> {
  const link = await work.lock(resources.payment_link, id)
  if (link && link.status !== 'completed')
    announceLink(work, await work.change(resources.payment_link, id, { taken: 0, status: 'completed' }))
}

/** Frees a link whose method was not saved. */
export async function freeLink(work: Work, id: string): Promise<void> {
  if (await work.lock(resources.payment_link, id)) await work.change(resources.payment_link, id, { taken: 0 })
}

async function invoiceOf(work: Work, id: string): Promise<InvoiceRow> {
  const invoice = await work.find(resources.invoice, id)
  if (!invoice) throw invalidAttributes({ payment_link_id: 'Its invoice is deleted' })
  return invoice
}

function paying({ id }: InvoiceRow, { amount }: TransactionInput) {
  return { entry_type: 'payment', invoice_id: id, amount }
}

const PARTIES = [
  ['processing', 'processing_id'],
  ['customer', 'customer_id'],
] as const

function refuseOthers(link: PaymentLinkRow, input: TransactionInput): void {
  for (const [name, attribute] of PARTIES) {
    const own = link[attribute]
    if (own === null) continue
    if (newRelated(input, name)) throw invalidAttributes({ [name]: "Must be the payment link's" })
    if ((namedId(input, name, attribute) ?? own) !== own)
      throw invalidAttributes({ [attribute]: "Must be the payment link's" })
  }
  if (link.invoice_id !== null && input.allocations && input.allocations.length > 0)
    throw invalidAttributes({ allocations: 'Must not be sent with the payment link of an invoice' })
}

/** Refuses a new payment method of a type that the link does not accept. Throws `InvalidAttributes`. */
function refuseMethod({ checkout_options: stored }: PaymentLinkRow, input: TransactionInput): void {
  const type = input.payment_method?.type
  const accepted = stored === null ? undefined : readCheckoutOptions(JSON.parse(stored))
  if (accepted === undefined || typeof accepted === 'string') return
  if (type === 'card' && !accepted.card)
    throw invalidAttributes({ payment_method: { type: 'Must be one of: bank_account' } })
  if (type === 'bank_account' && !accepted.bank_account)
    throw invalidAttributes({ payment_method: { type: 'Must be one of: card' } })
}

/**
 * Reserves a link. Of two concurrent requests only one succeeds, because the statement itself checks that the link is
 * free.
 */
export async function takeLink(work: Work, id: string): Promise<void> {
  reserved.set(work, (reserved.get(work) ?? new Set()).add(id))
  const taken = await work.tx.change(reserveLink, { id, now: work.now })
  const link = await work.refresh(resources.payment_link, id)
  if (taken > 0) return
  if (link.taken === 1) throw new ApiError('Conflict', `A payment through ${id} is under way`)
  throw invalidAttributes({ payment_link_id: notPayable(link, work.now) ?? 'Is completed' })
}

const reserveLink = prepared<{ id: string; now: string }, never>((db, param) =>
  db
    .updateTable('payment_links')
    .set({ taken: 1, modified_at: param('now') })
    .where('id', '=', param('id'))
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .where((eb) => eb.or([eb('taken', 'is', null), eb('taken', '=', 0)])),
)

/** Reason why a link cannot be paid now; undefined if it can. */
export function notPayable(
  { status, expires_at }: Pick<PaymentLinkRow, 'status' | 'expires_at'>,
  now: string,
): string | undefined {
  if (status !== 'active') return `Is ${status ?? 'inactive'}`
  return expires_at !== null && expires_at <= now ? 'Is expired' : undefined
}

/**
 * Compares an amount (minor units) with the link's own, or with the amount due on its invoice. A reusable link also
 * accepts part of the amount due. Returns `details`; undefined when it fits.
 */
function amountProblem(
  link: Pick<PaymentLinkRow, 'type' | 'amount'>,
  due: Minor | undefined,
  amount: Minor,
): JsonObject | undefined {
  const expected = due ?? link.amount ?? 0
  if (expected <= 0) return { payment_link_id: 'Nothing is due' }
  if (due !== undefined && link.type === 'reusable')
    return amount > due ? { amount: `Must be at most ${formatMoney(due)}` } : undefined
  return amount === expected ? undefined : { amount: `Must be ${formatMoney(expected)}` }
}
