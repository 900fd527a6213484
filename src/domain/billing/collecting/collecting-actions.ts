import { authorize } from '../../../engine/core/query/authorize.js'
import { ApiError, invalidAttributes, unavailable } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import type { InvoiceRow, PaymentMethodRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import { identifiedBy } from '../../accounts/barred-method.js'
import { linkForFailed } from '../../payments/parties/link-for-failed.js'
import type { AutomaticPayments } from '../../payments/take/take-payment.js'
import { notCollecting, setCollecting, zoneOf } from '../invoices/invoice-days.js'
import { beginAnew, stopCollecting } from './begin-anew.js'
import { payInvoice, scheduleNext } from './collect.js'
import { collectionsOf, isPresentable, recordAttempt } from './collecting-attempts.js'
import { hasOpenPayment, isChargeable, isOver, methodOf } from './collecting-of.js'

/** Seconds after which a client may try again, sent with the error that no automatic payments are taken now. */
const RETRY_AFTER = 60

/**
 * Actions by which a person collects an invoice at once, or stops and resumes its automatic payments. See
 * docs/money.md, "Billing schedules".
 */
export function collectingActions(
  payments: AutomaticPayments,
): NonNullable<Rule<typeof resources.invoice>['actions']> {
  return {
    collect: { perform: async (work, row) => await collectAtOnce(work, payments, row) },

    stop_collecting: {
      async perform(work, { id }) {
        await stopCollecting(work, id)
        return await setCollecting(work, id, notCollecting)
      },
    },

    resume_collecting: {
      async perform(work, invoice) {
        await refuseUnbilled(work, invoice)
        await beginAnew(work, invoice.id)
        return await scheduleNext(work, invoice.id)
      },
    },
  }
}

/**
 * Charges the customer's default payment method at once for the amount due on an invoice, whatever its schedule says.
 * Returns the payment. Throws `InvalidAttributes`, `Conflict` while another payment of the invoice is open, and
 * `ServiceUnavailable` while no gateway takes automatic payments.
 */
async function collectAtOnce(
  work: Work,
  payments: AutomaticPayments,
  invoice: InvoiceRow,
): Promise<TransactionRow> {
  for (const made of [resources.transaction, resources.line_item]) authorize(work.principal, 'POST', made)
  if (!(await payments.isConnected(work)))
    throw unavailable('No automatic payments are taken now; see payctl doctor', RETRY_AFTER)
  if (await hasOpenPayment(work, invoice.id))
    throw new ApiError('Conflict', `A payment of ${invoice.id} has no outcome yet, or is not captured`)
  const today = localDate(await zoneOf(work, invoice.processing_id ?? ''), work.milliseconds)
  const tried = await collectionsOf(work, invoice.id)
  const method = await methodOf(work, invoice)
  if (!method) throw invalidAttributes({ customer_id: 'Has no default payment method that is saved' })
  if (!isChargeable(method)) throw invalidAttributes({ payment_method: await barredText(work, method) })
  if (!isPresentable(tried, method, today))
    throw invalidAttributes({
      payment_method: `${identifiedBy(method)}: the bank has returned it as often as it may be presented`,
    })
  const by = { customer_id: invoice.customer_id, payment_method_id: method.id }
  const payment = await payInvoice(work, invoice, by, payments.take)
  const todays = tried.filter(({ attempt_date: date }) => date === today)
  await recordAttempt(work, {
    invoice,
    method,
    today,
    transactionId: payment.id,
    refusal: null,
    requested: Math.max(0, ...todays.map(({ requested }) => requested)) + 1,
  })
  await linkForFailed(work, payment, invoice.id)
  if (invoice.collect_on !== null) await scheduleNext(work, invoice.id)
  return payment
}

async function barredText(work: Work, method: PaymentMethodRow): Promise<string> {
  const declined = await work.asSystem(() => work.find(resources.transaction, method.barred_by ?? ''))
  const reason = declined?.status_message ?? 'declined for good'
  return `${identifiedBy(method)} is not charged again before it changes: ${reason}`
}

/**
 * Throws `InvalidAttributes` if no schedule made the invoice, or if its schedule has ended. Automatic payments
 * collect no such invoice.
 */
async function refuseUnbilled(work: Work, invoice: InvoiceRow): Promise<void> {
  if (invoice.slot === null)
    throw invalidAttributes({
      billing_schedule_id: 'No schedule made it: only those are collected by themselves',
    })
  const today = localDate(await zoneOf(work, invoice.processing_id ?? ''), work.milliseconds)
  if (await isOver(work, invoice, today))
    throw invalidAttributes({
      billing_schedule_id: 'Its schedule is deleted, has ended or has no charges: collect it at once instead',
    })
}
