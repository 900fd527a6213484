import { authorize } from '../../engine/core/query/authorize.js'
import { invalidAttributes } from '../../engine/core/request/api-error.js'
import { withDetailPath } from '../../engine/core/request/error-details.js'
import type { Rule, Work } from '../../engine/core/write/work.js'
import type { InvoiceRow } from '../../engine/store/database/tables.js'
import { resources } from '../../resources/resource-table.js'
import type { Input } from '../../schema/types.js'
import { announceLink } from '../allocations/complete-links.js'
import { removeAttachmentsOf } from '../attachments/attachment.js'
import { findDestination } from '../payments/parties/find-destination.js'
import { customerOf } from '../payments/parties/payer.js'
import { emailCustomer, removeNotificationsOf } from './link-notification-rule.js'
import { changeProblems, type LinkInput, newLinkProblems } from './terms.js'

/**
 * Rule of payment links: pages on which a payer pays an amount or an invoice. The account that is paid is found as for
 * any other payment. Spec: "What the service does", rule 4. See docs/interface.md, "Payment links".
 */
export const paymentLinkRule: Rule<typeof resources.payment_link> = {
  handles: ['customer', 'invoice'],

  async create(work, input) {
    const invoice = await invoiceOf(work, input)
    const problems = newLinkProblems(input, invoice, work.now)
    if (problems) throw invalidAttributes(problems)
    const customer = await payerOf(work, input, invoice)
    const processing_id = input.processing_id ?? invoice?.processing_id
    const account = await findDestination(work, { processing_id }, customer)
    const row = await work.createPlainly(resources.payment_link, {
      ...input,
      invoice: undefined,
      customer: undefined,
      invoice_id: invoice?.id ?? null,
      customer_id: customer?.id ?? null,
      ...(invoice && {
        amount: invoice.amount_due,
        description: input.description ?? invoice.description,
      }),
      processing_id: account.id,
      status: input.status ?? 'active',
    })
    announceLink(work, row)
    if (row.email_customer === 1) await emailCustomer(work, row)
    return row
  },

  async update(work, row, input) {
    const problems = changeProblems(row, input, work.now)
    if (problems) throw invalidAttributes(problems)
    const changed = await work.updatePlainly(resources.payment_link, row, { ...input })
    if (changed.status !== row.status) announceLink(work, changed)
    if (changed.email_customer === 1 && row.email_customer !== 1) await emailCustomer(work, changed)
    return changed
  },

  async delete(work, row) {
    await removeAttachmentsOf(work, 'payment_link_id', row.id)
    await removeNotificationsOf(work, row.id)
    await work.deletePlainly(resources.payment_link, row)
  },
}

/** The invoice of a link: an existing one, or one that is made with the link. */
async function invoiceOf(
  work: Work,
  { invoice_id, invoice: tree }: LinkInput,
): Promise<InvoiceRow | undefined> {
  if (tree && invoice_id) throw invalidAttributes({ invoice: 'Must not be sent with invoice_id' })
  if (tree && typeof tree.id !== 'string') {
    authorize(work.principal, 'POST', resources.invoice)
    return await withDetailPath(['invoice'], () => work.create(resources.invoice, tree))
  }
  if (tree) refuseOthers(tree)
  const id = tree?.id ?? invoice_id
  if (typeof id !== 'string') return undefined
  const invoice = await work.find(resources.invoice, id)
  if (!invoice) throw invalidAttributes(tree ? { invoice: { id: 'Not found' } } : { invoice_id: 'Not found' })
  return invoice
}

/** Refuses attributes of an existing invoice, which a link does not change. */
function refuseOthers(invoice: Input): void {
  const others = Object.keys(invoice).filter((name) => name !== 'id' && name !== 'object')
  if (others.length > 0)
    throw invalidAttributes({
      invoice: Object.fromEntries(others.map((name) => [name, 'Can be changed at its own path only'])),
    })
}

/** The customer who pays: the invoice's, or the one that is named or made with the link. */
async function payerOf(
  work: Work,
  { customer_id, customer: tree }: LinkInput,
  invoice: InvoiceRow | undefined,
) {
  if (!invoice?.customer_id) return await customerOf(work, { customer_id, customer: tree })
  const id = customer_id ?? tree?.id
  if ((tree && typeof tree.id !== 'string') || (id && id !== invoice.customer_id))
    throw invalidAttributes({ [tree ? 'customer' : 'customer_id']: "Must be the invoice's" })
  return await work.find(resources.customer, invoice.customer_id)
}
