import type { InvoiceRow, PaymentLinkRow } from '../../engine/store/database/tables.js'
import type { resources } from '../../resources/resource-table.js'
import { isForbiddenName, type JsonObject } from '../../schema/json.js'
import { jsonProblem } from '../../schema/json-problem.js'
import type { Minor } from '../../schema/money.js'
import type { InputFor } from '../../schema/types.js'
import { readCheckoutOptions } from '../payments/parties/checkout-options.js'
import { readDataFields } from './data-fields.js'

export type LinkInput = InputFor<typeof resources.payment_link>
export type LinkStatus = NonNullable<PaymentLinkRow['status']>

/** Statuses that clients may set; payctl sets the others. */
const SET_BY_CLIENTS: readonly LinkStatus[] = ['active', 'inactive']

/** Problems with a new link, as `details`; undefined if there are none. `invoice` is the one that the link names. */
export function newLinkProblems(
  input: LinkInput,
  invoice: InvoiceRow | undefined,
  now: string,
): JsonObject | undefined {
  const { type, status, expires_at: end } = input
  const problem = type === 'method' ? methodProblem(input, invoice) : paidProblem(input, invoice)
  if (problem) return problem
  if (status && !SET_BY_CLIENTS.includes(status)) return { status: 'Must be one of: active, inactive' }
  return pastProblem(end, now) ?? formProblem(input)
}

function paidProblem(
  { amount, processing_id: processing }: LinkInput,
  invoice: InvoiceRow | undefined,
): JsonObject | undefined {
  if (invoice && amount) return { amount: 'Must not be sent with invoice_id' }
  if (!invoice && (amount ?? null) === null) return { amount: 'Required' }
  if (!invoice && !isPositive(amount)) return { amount: NOT_POSITIVE }
  if (invoice && !isPositive(invoice.amount_due)) return { invoice_id: 'Nothing is due' }
  if (processing && invoice?.processing_id && processing !== invoice.processing_id)
    return { processing_id: "Must be the invoice's" }
  return undefined
}

/** Problems with a link on which a customer saves a payment method without paying. */
function methodProblem(
  { amount, customer_id: id, customer }: LinkInput,
  invoice: InvoiceRow | undefined,
): JsonObject | undefined {
  if (invoice) return { invoice_id: 'Must not be sent with type method' }
  if ((amount ?? null) !== null) return { amount: 'Must not be sent with type method' }
  return id || customer ? undefined : { customer_id: 'Required' }
}

/** Problems with a change of a link, as `details`; undefined if there are none. */
export function changeProblems(row: PaymentLinkRow, input: LinkInput, now: string): JsonObject | undefined {
  return statusProblem(row.status ?? 'active', input) ?? termsProblem(row, input, now) ?? formProblem(input)
}

/** Problems with the page's questions and checkout options. */
function formProblem({
  additional_datafields: data,
  checkout_options: options,
}: LinkInput): JsonObject | undefined {
  const fields = readDataFields(data)
  if (typeof fields === 'string') return { additional_datafields: fields }
  const wrong = fields.map(({ name }) => nameProblem(name)).find((problem) => problem !== undefined)
  if (wrong !== undefined) return { additional_datafields: wrong }
  const taken = readCheckoutOptions(options)
  return typeof taken === 'string' ? { checkout_options: taken } : undefined
}

/**
 * Reason why `attrs` cannot store the answer to a question under its name: every payment on the page would be
 * refused.
 */
function nameProblem(name: string): string | undefined {
  if (isForbiddenName(name)) return `Must have no name ${name}`
  return jsonProblem({ [name]: null }, { isKept: true })
}

function statusProblem(from: LinkStatus, { status: to }: LinkInput): JsonObject | undefined {
  if (to === undefined || to === from) return undefined
  if (to === null) return { status: 'Required' }
  const isDrawn = SET_BY_CLIENTS.includes(from) && SET_BY_CLIENTS.includes(to)
  return isDrawn ? undefined : { status: `Cannot change from ${from} to ${to}` }
}

/** Amount and end cannot change once a link is completed or expired. */
function termsProblem(row: PaymentLinkRow, input: LinkInput, now: string): JsonObject | undefined {
  const { amount } = input
  for (const name of ['amount', 'expires_at'] as const) {
    if (input[name] === undefined || input[name] === row[name]) continue
    if (row.status === 'completed' || row.status === 'expired')
      return { [name]: `Cannot be changed, the link is ${row.status}` }
  }
  if (row.invoice_id !== null && amount !== undefined && amount !== row.amount)
    return { amount: 'Is the amount due on the invoice' }
  return amountProblem(row, amount) ?? endProblem(row, input, now)
}

function amountProblem(
  { type, invoice_id: invoice, amount: before }: PaymentLinkRow,
  amount: Minor | null | undefined,
): JsonObject | undefined {
  if (amount === undefined) return undefined
  if (type === 'method') return amount === null ? undefined : { amount: 'Nothing is paid on it' }
  if (invoice !== null) return amount === before ? undefined : { amount: 'Is the amount due on the invoice' }
  if (amount === null) return { amount: 'Required' }
  return isPositive(amount) ? undefined : { amount: NOT_POSITIVE }
}

/** Whether an amount is above zero; null counts as 0. */
function isPositive(amount: Minor | null | undefined): boolean {
  return (amount ?? 0) > 0
}
const NOT_POSITIVE = 'Must be greater than 0'

/** Problem of a link that is activated again, or gets another end, when its end is in the past. */
function endProblem(row: PaymentLinkRow, input: LinkInput, now: string): JsonObject | undefined {
  const end = input.expires_at === undefined ? row.expires_at : input.expires_at
  const isPutUp = row.status === 'inactive' && input.status === 'active'
  return isPutUp || end !== row.expires_at ? pastProblem(end, now) : undefined
}

function pastProblem(end: string | null | undefined, now: string): JsonObject | undefined {
  return end && end <= now ? { expires_at: 'Must be in the future' } : undefined
}
