import { ApiError, firstProblem, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { WorkRunner } from '../../../engine/jobs/due-job.js'
import type { InvoiceRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import type { Minor } from '../../../schema/money.js'
import { queueInvoiceMail } from '../../mail-outbox/queue-mail.js'
import { linkForFailed } from '../../payments/parties/link-for-failed.js'
import type { TransactionInput } from '../../payments/parties/new-transaction.js'
import type { AutomaticPayment } from '../../payments/take/take-payment.js'
import { collectingFrom, notCollecting, setCollecting } from '../invoices/invoice-days.js'
import { recordAttempt } from './collecting-attempts.js'
import { type Collecting, collectingOf } from './collecting-of.js'

/** An attempt to collect an invoice. */
export interface Collected {
  readonly invoiceId: string
  /** Minor units. */
  readonly amount: number
  /** Undefined when the payment was refused before it reached the gateway. */
  readonly payment: TransactionRow | undefined
  /** Reason why the payment was refused; null if it was not. */
  readonly refusal: string | null
}

/**
 * Attempts the automatic payment of an invoice if it is due at `at` (milliseconds since 1970). Payment, attempt and
 * the day of the next attempt are committed together, before a remote gateway is called. If the process crashes after
 * that, the payment stays pending. A pending payment blocks the next attempt until reconciliation has its outcome.
 */
export async function collect(
  runner: WorkRunner,
  takePayment: AutomaticPayment,
  invoiceId: string,
  at: number,
): Promise<Collected | undefined> {
  try {
    return await runner.write(async (work) => {
      const due = await dueAt(work, invoiceId, at)
      return due && (await attempt(work, takePayment, due))
    })
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'InvalidAttributes') throw error
    return await runner.write(async (work) => {
      const due = await dueAt(work, invoiceId, at)
      return due && (await refuse(work, due, firstProblem(error)))
    })
  }
}

async function dueAt(work: Work, invoiceId: string, at: number): Promise<Collecting | undefined> {
  const invoice = await work.lock(resources.invoice, invoiceId)
  if (!invoice || invoice.collect_at === null) return undefined
  if (millisecondsOf(invoice.collect_at) > Math.min(at, work.milliseconds)) return undefined
  return await collectingOf(work, invoice, work.milliseconds)
}

async function attempt(
  work: Work,
  takePayment: AutomaticPayment,
  due: Collecting,
): Promise<Collected | undefined> {
  const { invoice, method, today, step } = due
  if (step.kind !== 'charge' || !method) {
    await schedule(work, due)
    return undefined
  }
  const by = { customer_id: invoice.customer_id, payment_method_id: method.id }
  const payment = await payInvoice(work, invoice, by, takePayment)
  const { id: transactionId } = payment
  await recordAttempt(work, { invoice, method, today, transactionId, refusal: null, requested: 0 })
  await linkForFailed(work, payment, invoice.id)
  await scheduleNext(work, invoice.id)
  return { invoiceId: invoice.id, amount: step.amount, payment, refusal: null }
}

async function refuse(work: Work, due: Collecting, refusal: string): Promise<Collected | undefined> {
  const { invoice, method, today, step } = due
  if (step.kind !== 'charge') return undefined
  await recordAttempt(work, { invoice, method, today, transactionId: null, refusal, requested: 0 })
  await queueInvoiceMail(work, 'failed_payment', invoice)
  await scheduleNext(work, invoice.id)
  return { invoiceId: invoice.id, amount: step.amount, payment: undefined, refusal }
}

/**
 * Stores the day of the next automatic attempt for an invoice; null if there is none, for example because it is paid.
 * Returns the changed invoice.
 */
export async function scheduleNext(work: Work, id: string): Promise<InvoiceRow> {
  const invoice = await work.refresh(resources.invoice, id)
  return await schedule(work, await collectingOf(work, invoice, work.milliseconds))
}

async function schedule(work: Work, { invoice, zone, today, step }: Collecting): Promise<InvoiceRow> {
  switch (step.kind) {
    case 'charge':
      return await setCollecting(work, invoice.id, collectingFrom(zone, today))
    case 'wait':
      return await setCollecting(work, invoice.id, collectingFrom(zone, step.until))
    case 'stop':
      return await setCollecting(work, invoice.id, notCollecting)
  }
}

/**
 * Takes a payment for an invoice. `amount` is in minor units; the default is the amount due. Without a payment method
 * in the input, the customer's default one is charged. `take` creates the transaction, by default with the caller's
 * permissions. Returns a declined payment like any other. Throws `InvalidAttributes` if no amount is due, or if the
 * payment is refused.
 */
export async function payInvoice(
  work: Work,
  invoice: InvoiceRow,
  { amount, ...payment }: TransactionInput & { readonly amount?: Minor } = {},
  take: AutomaticPayment = (payingWork, input) => payingWork.create(resources.transaction, { ...input }),
): Promise<TransactionRow> {
  const due = invoice.amount_due ?? 0
  if (due <= 0) throw invalidAttributes({ amount: 'Nothing is due' })
  const paid = amount ?? due
  const allocations = [{ entry_type: 'payment', invoice_id: invoice.id, amount: paid }]
  return await take(work, { ...payment, type: 'payment', amount: paid, allocations })
}
