import { ApiError, firstProblem, invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Work } from '../../../engine/core/write/work.js'
import type { WorkRunner } from '../../../engine/jobs/due-job.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type {
  CollectionRow,
  InvoiceRow,
  PaymentMethodRow,
  TransactionRow,
} from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import type { Minor } from '../../../schema/money.js'
import { queueInvoiceMail } from '../../mail/queue-mail.js'
import { isUnavailable } from '../../payments/gateway-answer.js'
import type { TransactionInput } from '../../payments/new-transaction.js'
import type { AutomaticPayment } from '../../payments/take-payment.js'
import { collectingFrom, notCollecting, setCollecting, zoneOf } from '../invoices/invoice-days.js'
import { type Attempt, type CollectionStep, nextStep } from './next-step.js'

/** An attempt to collect an invoice. */
export interface Collected {
  readonly invoiceId: string
  /** Minor units. */
  readonly amount: number
  /** Undefined when the payment was refused before it reached the gateway. */
  readonly payment: TransactionRow | undefined
  /** Reason of a refusal. */
  readonly refusal: string | null
}

/** An invoice that may be collected, and the next step for it. */
export interface Collecting {
  readonly invoice: InvoiceRow
  readonly method: PaymentMethodRow | undefined
  readonly zone: string
  readonly today: string
  readonly step: CollectionStep
}

/**
 * Attempts the automatic payment of an invoice if it is due at `at` (milliseconds since 1970). Payment, attempt and
 * the day of the next attempt are committed together, before a remote gateway is called. After a crash in between the
 * payment is pending, which blocks the next attempt until reconciliation has its outcome.
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

/** The next step for an invoice; a caller that acts on it has locked the invoice. */
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

/** The customer's default payment method, unless it is for one use only. */
export async function methodOf(
  work: Work,
  { customer_id: customerId }: Pick<InvoiceRow, 'customer_id'>,
): Promise<PaymentMethodRow | undefined> {
  if (customerId === null || !(await work.find(resources.customer, customerId))) return undefined
  const methods = await work.findBy(resources.payment_method, 'account_id', customerId)
  return methods.find((method) => method.default_payment_method === 1 && method.keep_active !== 0)
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
  const { invoice, method, zone, today, step } = due
  if (step.kind !== 'charge' || !method) {
    await postpone(work, invoice, zone, step)
    return undefined
  }
  const by = { customer_id: invoice.customer_id, payment_method_id: method.id }
  const payment = await payInvoice(work, invoice, by, takePayment)
  await recordAttempt(work, {
    invoice_id: invoice.id,
    attempt_date: today,
    transaction_id: payment.id,
    refusal: null,
  })
  await scheduleNext(work, invoice)
  return { invoiceId: invoice.id, amount: step.amount, payment, refusal: null }
}

async function refuse(work: Work, due: Collecting, refusal: string): Promise<Collected | undefined> {
  const { invoice, today, step } = due
  if (step.kind !== 'charge') return undefined
  await recordAttempt(work, {
    invoice_id: invoice.id,
    attempt_date: today,
    transaction_id: null,
    refusal,
  })
  await queueInvoiceMail(work, 'failed_payment', invoice)
  await scheduleNext(work, invoice)
  return { invoiceId: invoice.id, amount: step.amount, payment: undefined, refusal }
}

/** Schedules the next attempt after one; there is none when the invoice is paid or cannot be paid this way. */
async function scheduleNext(work: Work, { id }: InvoiceRow): Promise<void> {
  const { invoice, zone, step } = await collectingOf(
    work,
    await work.refresh(resources.invoice, id),
    work.milliseconds,
  )
  await postpone(work, invoice, zone, step)
}

async function postpone(work: Work, { id }: InvoiceRow, zone: string, step: CollectionStep): Promise<void> {
  const days = step.kind === 'wait' ? collectingFrom(zone, step.until) : notCollecting
  await setCollecting(work, id, days)
}

/**
 * Takes a payment of an invoice, of all that is due unless an `amount` in minor units is given. Without a payment method
 * the customer's default one is charged. `take` takes it, by default with the caller's permissions. Throws
 * `InvalidAttributes`; a decline is returned.
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

/** Attempts to collect an invoice, oldest first, without pending ones and those that reached no gateway. */
async function attemptsOf(work: Work, invoiceId: string): Promise<Attempt[]> {
  return (await work.tx.run(attempts, { invoiceId })).flatMap((row) => {
    const { attempt_date: date, status, status_code: statusCode, processed_date: processed } = row
    if (status === 'processing' || status === 'authorized') return []
    // No gateway was reached.
    if (statusCode !== null && isUnavailable(statusCode)) return []
    // A payment that was taken and voided is left to people, as a refund is.
    const isFailed = status === null || status === 'declined' || (status === 'voided' && processed === null)
    return [{ date, outcome: isFailed ? 'failed' : 'paid', statusCode }]
  })
}

/** Records an attempt in the unit of work of its payment; a key allows one for each invoice and day. */
async function recordAttempt(
  work: Work,
  attempt: Pick<CollectionRow, 'invoice_id' | 'attempt_date' | 'transaction_id' | 'refusal'>,
): Promise<void> {
  await work.tx.db
    .insertInto('collections')
    .values({ ...attempt, id: work.newId(''), created_at: work.now })
    .execute()
}

/** Whether a payment of an invoice has no outcome yet, or is not captured; an attempt also where its item was deleted. */
async function hasOpenPayment(work: Work, invoiceId: string): Promise<boolean> {
  const [open] = await work.tx.run(openPayment, { invoiceId })
  return open !== undefined
}

type Tried = Pick<CollectionRow, 'attempt_date'> & {
  readonly status: TransactionRow['status']
  readonly status_code: string | null
  readonly processed_date: string | null
}

const attempts = prepared<{ invoiceId: string }, Tried>((db, param) =>
  db
    .selectFrom('collections')
    .leftJoin('transactions', 'transactions.id', 'collections.transaction_id')
    .select([
      'collections.attempt_date',
      'transactions.status',
      'transactions.status_code',
      'transactions.processed_date',
    ])
    .where('collections.invoice_id', '=', param('invoiceId'))
    .orderBy('collections.attempt_date'),
)

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
