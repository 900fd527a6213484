import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { InvoiceRow, PaymentMethodRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { zoneOf } from '../invoices/invoice-days.js'
import { collectionsOf, decidedAttempts, isPresentable } from './collecting-attempts.js'
import { type CollectionStep, nextStep } from './next-step.js'

/** An invoice that may be collected, and the next step for it. */
export interface Collecting {
  readonly invoice: InvoiceRow
  /** The customer's default payment method, even if it may not be charged. */
  readonly method: PaymentMethodRow | undefined
  readonly zone: string
  readonly today: string
  readonly step: CollectionStep
}

/** Decides the next step of collecting an invoice. A caller that acts on the step must have locked the invoice. */
export async function collectingOf(work: Work, invoice: InvoiceRow, now: number): Promise<Collecting> {
  const zone = await zoneOf(work, invoice.processing_id ?? '')
  const method = await methodOf(work, invoice)
  const today = localDate(zone, now)
  const { collect_since: since, collect_stopped: stopped } = invoice
  const tried = await collectionsOf(work, invoice.id)
  const step = nextStep({
    today,
    dueDate: invoice.due_date,
    since: since === null ? null : localDate(zone, millisecondsOf(since)),
    amountDue: invoice.amount_due ?? 0,
    attempts: decidedAttempts(tried, since),
    isStopped: stopped === 1 || (await isOver(work, invoice, today)),
    isOpen: await hasOpenPayment(work, invoice.id),
    hasMethod: method !== undefined && isChargeable(method) && isPresentable(tried, method, today),
  })
  return { invoice, method, zone, today, step }
}

/** The customer's default payment method, unless it is for one use only. */
export async function methodOf(
  work: Work,
  { customer_id: customerId }: Pick<InvoiceRow, 'customer_id'>,
): Promise<PaymentMethodRow | undefined> {
  if (customerId === null || !(await work.find(resources.customer, customerId))) return undefined
  const methods = await work.findBy(resources.payment_method, 'account_id', customerId)
  return methods.find((method) => method.default_payment_method === 1 && method.keep_active !== 0)
}

/** Whether automatic payments may charge a method, for any invoice. */
export function isChargeable({ barred_by: barredBy }: PaymentMethodRow): boolean {
  return barredBy === null
}

/** Whether the schedule of an invoice no longer collects: it is deleted, has ended, or has no charges or frequency. */
export async function isOver(
  work: Work,
  { billing_schedule_id: id }: Pick<InvoiceRow, 'billing_schedule_id'>,
  today: string,
): Promise<boolean> {
  const schedule = id === null ? undefined : await work.find(resources.billing_schedule, id)
  if (!schedule || schedule.recurring_frequency === null) return true
  if (schedule.end_date !== null && schedule.end_date < today) return true
  return (await work.findBy(resources.billing_charge, 'billing_schedule_id', schedule.id)).length === 0
}

/**
 * Whether a payment of an invoice has no outcome yet, or is authorized and not captured. Attempts to collect count
 * even if their line item was deleted.
 */
export async function hasOpenPayment(work: Work, invoiceId: string): Promise<boolean> {
  const [open] = await work.tx.run(openPayment, { invoiceId })
  return open !== undefined
}

const openPayment = prepared<{ invoiceId: string }, { id: string }>((db, param) =>
  db
    .selectFrom('line_items')
    .innerJoin('transactions', 'transactions.id', 'line_items.transaction_id')
    .select('transactions.id')
    .where('line_items.invoice_id', '=', param('invoiceId'))
    .where('line_items.deleted_at', 'is', null)
    .where('transactions.status', 'in', ['processing', 'authorized'])
    .unionAll(
      db
        .selectFrom('collections')
        .innerJoin('transactions', 'transactions.id', 'collections.transaction_id')
        .select('transactions.id')
        .where('collections.invoice_id', '=', param('invoiceId'))
        .where('transactions.status', 'in', ['processing', 'authorized']),
    )
    .limit(1),
)
