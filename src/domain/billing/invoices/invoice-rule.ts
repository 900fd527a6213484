import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { InvoiceRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { formatMoney } from '../../../schema/money.js'
import { judgingItemsOf } from '../../allocations/totals.js'
import { removeAttachmentsOf } from '../../attachments/attachment.js'
import { collectingFrom, overdueAt, zoneOf } from './invoice-days.js'
import { contactOf, type InvoiceInput, makeInvoice } from './make-invoice.js'
import { mayPay } from './may-pay.js'

/**
 * Rule of invoices. Spec: "Invoice". The totals of an invoice follow from its items; its status from the totals and
 * the due date.
 */
export const invoiceRule: Rule<typeof resources.invoice> = {
  async create(work, input) {
    refuseOwnSettings(input)
    return await makeInvoice(work, input)
  },

  async update(work, row, input) {
    refuseOwnSettings(input)
    const before = (await work.lock(resources.invoice, row.id)) ?? row
    refuseOtherSchedule(before, input)
    const after = await judgingItemsOf(work, row.id, () =>
      work.updatePlainly(resources.invoice, before, { ...input }),
    )
    await refuseOtherOwner(work, before, after)
    await moveLinks(work, before, after)
    const changes = await followingChanges(work, before, after)
    return Object.keys(changes).length > 0 ? await work.change(resources.invoice, row.id, changes) : after
  },

  /**
   * Deletes an invoice with its items. Refused if a part of the invoice is paid, or if an authorized or processing
   * payment is meant for it.
   */
  async delete(work, row) {
    const invoice = await work.lock(resources.invoice, row.id)
    const paid = invoice?.total_paid ?? 0
    if (paid > 0)
      throw invalidAttributes({
        total_paid: `An invoice of which ${formatMoney(paid)} is paid is not deleted`,
      })
    const open = (await work.tx.run(paymentsFor, { invoiceId: row.id })).find(isOpen)
    if (open)
      throw invalidAttributes({
        id: `The payment ${open.id} is ${open.status} and is to pay this invoice: capture or void it first`,
      })
    for (const item of await work.findBy(resources.line_item, 'invoice_id', row.id))
      await work.deletePlainly(resources.line_item, item)
    await removeAttachmentsOf(work, 'invoice_id', row.id)
    await work.deletePlainly(resources.invoice, row)
  },
}

/** Whether a payment may still take money: it is authorized, or has no outcome yet. */
function isOpen({ status }: Pick<TransactionRow, 'status'>): boolean {
  return status === 'authorized' || status === 'processing'
}

/** Refuses new processing settings for an invoice, because every invoice has the settings of its processing account. */
function refuseOwnSettings({ processing_settings: settings }: InvoiceInput): void {
  if (settings && (settings.id ?? null) === null)
    throw invalidAttributes({ processing_settings: "Are the processing account's" })
}

/**
 * Refuses another schedule for an invoice that a schedule made. Checked before the write, because a unique index
 * allows only one invoice for each schedule and slot.
 */
function refuseOtherSchedule({ slot, billing_schedule_id: id }: InvoiceRow, input: InvoiceInput): void {
  const { billing_schedule_id: named = id, billing_schedule: schedule } = input
  if (slot !== null && (schedule === null ? null : named) !== id)
    throw invalidAttributes({ billing_schedule_id: 'Cannot be changed: the schedule made it' })
}

/**
 * Refuses another customer or processing account if a part of the invoice is paid. Also refuses another processing
 * account while a payment may still pay the invoice.
 */
async function refuseOtherOwner(work: Work, before: InvoiceRow, after: InvoiceRow): Promise<void> {
  if (after.processing_id === null) throw invalidAttributes({ processing_id: 'Required' })
  if ((after.total_paid ?? 0) > 0)
    for (const name of ['customer_id', 'processing_id'] as const)
      if (after[name] !== before[name])
        throw invalidAttributes({ [name]: 'Cannot be changed once something is paid' })
  if (after.processing_id === before.processing_id) return
  const waiting = (await work.tx.run(paymentsFor, { invoiceId: after.id })).find(mayPay)
  if (waiting)
    throw invalidAttributes({
      processing_id: `Cannot be changed while ${waiting.id} may pay it, which goes to the account that it has`,
    })
}

/** Payments that were meant for an invoice, whatever their status. */
const paymentsFor = prepared<
  { invoiceId: string },
  Pick<TransactionRow, 'id' | 'status' | 'status_code' | 'charged_back' | 'allocated'>
>((db, param) =>
  db
    .selectFrom('line_items as i')
    .innerJoin('transactions as t', 't.id', 'i.transaction_id')
    .select(['t.id', 't.status', 't.status_code', 't.charged_back', 't.allocated'])
    .distinct()
    .where('i.invoice_id', '=', param('invoiceId'))
    .where('i.deleted_at', 'is', null)
    .orderBy('t.id'),
)

/** Moves the invoice's payment links that can still be paid to its new customer and processing account. */
async function moveLinks(work: Work, before: InvoiceRow, after: InvoiceRow): Promise<void> {
  const { id, customer_id, processing_id } = after
  if (customer_id === before.customer_id && processing_id === before.processing_id) return
  for (const link of await work.findBy(resources.payment_link, 'invoice_id', id))
    if (link.status === 'active' || link.status === 'inactive')
      await work.change(resources.payment_link, link.id, { customer_id, processing_id })
}

/** The columns that are derived from an invoice's customer, processing account and due date. */
async function followingChanges(
  work: Work,
  before: InvoiceRow,
  after: InvoiceRow,
): Promise<Partial<InvoiceRow>> {
  const { customer_id: customerId, processing_id: processingId } = after
  const customer =
    customerId === null || customerId === before.customer_id
      ? undefined
      : await work.find(resources.customer, customerId)
  const isMoved = processingId !== before.processing_id
  const account =
    isMoved && processingId !== null ? await work.find(resources.processing_account, processingId) : undefined
  const hasOtherDays = isMoved || after.due_date !== before.due_date
  return {
    ...(customer && (await contactOf(work, customer))),
    ...(account && { processing_settings_id: account.processing_settings_id }),
    ...(hasOtherDays && processingId !== null && dueChanges(await zoneOf(work, processingId), before, after)),
  }
}

/**
 * Columns that follow from the due date and the time zone: the time at which the invoice becomes overdue. Includes the
 * time of the next attempt if automatic payments collect the invoice.
 */
function dueChanges(zone: string, { due_date: due }: InvoiceRow, after: InvoiceRow): Partial<InvoiceRow> {
  const { due_date: dueDate, collect_on: collectOn } = after
  return {
    overdue_at: overdueAt(zone, dueDate),
    ...(collectOn !== null && collectingFrom(zone, dueDate === due ? collectOn : dueDate)),
  }
}
