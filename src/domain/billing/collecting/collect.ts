import { ApiError } from '../../../engine/core/request/errors.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { WorkRunner } from '../../../engine/jobs/job.js'
import type { InvoiceRow, PaymentMethodRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import type { AutomaticPayment } from '../../payments/take-payment.js'
import { collectingFrom, notCollecting, setCollecting } from '../invoices/collecting-days.js'
import { zoneOf } from '../invoices/overdue.js'
import { payInvoice } from '../invoices/pay-invoice.js'
import { attemptsOf, hasOpenPayment, writeAttempt } from './attempts.js'
import { type CollectionStep, nextStep } from './next-step.js'

/** What was tried. */
export interface Collected {
  readonly invoiceId: string
  /** Minor units. */
  readonly amount: number
  /** Nothing when it was refused before the gateway was asked. */
  readonly payment: TransactionRow | undefined
  /** Why it was refused then. */
  readonly refusal: string | null
}

/** An invoice that may be collected, and what is done about it. */
export interface Collecting {
  readonly invoice: InvoiceRow
  readonly method: PaymentMethodRow | undefined
  readonly zone: string
  readonly today: string
  readonly step: CollectionStep
}

/**
 * Tries the automatic payment of an invoice if its time has come at `at` (milliseconds since 1970). Payment, attempt
 * and the day of the next one commit together, before a remote gateway is asked: whoever dies in between leaves an
 * open payment, which blocks the next attempt until reconciliation has its outcome.
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
      return due && (await refuse(work, due, wordsOf(error)))
    })
  }
}

/** What is to be done about an invoice; the caller holds it where it matters. */
export async function collectingOf(work: Work, invoice: InvoiceRow, now: number): Promise<Collecting> {
  const zone = await zoneOf(work, invoice.processing_id ?? '')
  const method = await methodOf(work, invoice)
  const today = localDate(zone, now)
  const step = nextStep({
    today,
    dueDate: invoice.due_date,
    amountDue: invoice.amount_due ?? 0,
    attempts: await attemptsOf(work, invoice.id),
    isOpen: await hasOpenPayment(work, invoice.id),
    hasMethod: method !== undefined,
  })
  return { invoice, method, zone, today, step }
}

/** The customer's default method, unless it was to be used once only. */
export async function methodOf(
  work: Work,
  { customer_id: customerId }: Pick<InvoiceRow, 'customer_id'>,
): Promise<PaymentMethodRow | undefined> {
  if (customerId === null || !(await work.find('customer', customerId))) return undefined
  const methods = await work.findBy('payment_method', 'account_id', customerId)
  return methods.find((method) => method.default_payment_method === 1 && method.keep_active !== 0)
}

async function dueAt(work: Work, invoiceId: string, at: number): Promise<Collecting | undefined> {
  const invoice = await work.lock('invoice', invoiceId)
  if (!invoice || invoice.collect_at === null) return undefined
  if (millisecondsOf(invoice.collect_at) > Math.min(at, work.milliseconds)) return undefined
  return await collectingOf(work, invoice, work.milliseconds)
}

async function attempt(
  work: Work,
  takePayment: AutomaticPayment,
  due: Collecting,
): Promise<Collected | undefined> {
  const { invoice, method, zone, today, step } = due
  if (step.kind !== 'charge' || !method) {
    await postpone(work, invoice, zone, step)
    return undefined
  }
  const by = { customer_id: invoice.customer_id, payment_method_id: method.id }
  const payment = await payInvoice(work, invoice, by, takePayment)
  await writeAttempt(work, {
    invoice_id: invoice.id,
    attempt_date: today,
    transaction_id: payment.id,
    refusal: null,
  })
  await lookAgain(work, invoice)
  return { invoiceId: invoice.id, amount: step.amount, payment, refusal: null }
}

async function refuse(work: Work, due: Collecting, refusal: string): Promise<Collected | undefined> {
  const { invoice, today, step } = due
  if (step.kind !== 'charge') return undefined
  await writeAttempt(work, {
    invoice_id: invoice.id,
    attempt_date: today,
    transaction_id: null,
    refusal,
  })
  await lookAgain(work, invoice)
  return { invoiceId: invoice.id, amount: step.amount, payment: undefined, refusal }
}

/** After an attempt: what is paid, or cannot be paid like that, is left alone. */
async function lookAgain(work: Work, { id }: InvoiceRow): Promise<void> {
  const { invoice, zone, step } = await collectingOf(
    work,
    await work.refresh('invoice', id),
    work.milliseconds,
  )
  await postpone(work, invoice, zone, step)
}

async function postpone(work: Work, { id }: InvoiceRow, zone: string, step: CollectionStep): Promise<void> {
  const days = step.kind === 'wait' ? collectingFrom(zone, step.until) : notCollecting
  await setCollecting(work, id, days)
}

/** `{payment_method: 'Expired'}` is "payment_method: Expired". */
function wordsOf({ description, details }: ApiError): string {
  const [first] = Object.entries(details)
  return first && typeof first[1] === 'string' ? `${first[0]}: ${first[1]}` : description
}
