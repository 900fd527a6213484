import type { Work } from '../../../engine/core/write/work.js'
import type { InvoiceRow, LineItemRow, TransactionRow } from '../../../engine/store/database/tables.js'
import { collectingFrom, overdueAt } from '../../billing/invoices/invoice-days.js'
import { mayPay } from '../../billing/invoices/may-pay.js'
import { findingsOf } from '../pass/finding.js'
import { grouped, passOver } from '../pass/pass.js'
import { zonesOf } from '../pass/zones.js'
import { numberProblems, numbersBefore } from './invoice-numbers.js'
import type { TransactionHistory } from './transaction-history.js'
import { reservedOf } from './verify-ledger.js'

/**
 * An invoice is the sum of its line items and is not overpaid. Its days follow the time zone of the paid account. See
 * docs/money.md, "Invoices".
 */
export const invoices = passOver(
  'invoices',
  (db) => db.selectFrom('invoices').selectAll(),
  async ({ tx: { db } }, rows) => {
    const items = await db
      .selectFrom('line_items')
      .selectAll()
      .where(
        'invoice_id',
        'in',
        rows.map(({ id }) => id),
      )
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    const payments = await paymentsOf(db, items)
    const zones = await zonesOf(
      db,
      rows.map(({ processing_id: id }) => id),
    )
    const taken = await numbersBefore(db, rows)
    const itemsOf = grouped(items, (item) => item.invoice_id)
    return {
      count: rows.length,
      findings: rows.flatMap((row) => {
        const own = itemsOf.get(row.id) ?? []
        return findingsOf('invoice', row.id, () => [
          ...(row.deleted_at === null ? totalProblems(row, own) : undeletedItems(own)),
          ...own.flatMap((item) => itemProblems(row, item, payments)),
          ...dayProblems(row, zones.get(row.processing_id ?? '')),
          ...numberProblems(row, taken),
        ])
      }),
    }
  },
)

type Payment = Pick<
  TransactionRow,
  'id' | 'type' | 'status' | 'status_code' | 'charged_back' | 'allocated' | 'processing_id'
>

async function paymentsOf(
  db: Work['tx']['db'],
  items: readonly LineItemRow[],
): Promise<ReadonlyMap<string, Payment>> {
  const ids = [...new Set(items.map((item) => item.transaction_id).filter((id) => id !== null))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('transactions')
    .select(['id', 'type', 'status', 'status_code', 'charged_back', 'allocated', 'processing_id'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Totals, count and time of payment follow from the line items. */
function totalProblems(invoice: InvoiceRow, items: readonly LineItemRow[]): string[] {
  const { total_due: due, total_paid: paid, amount_due: left, item_count: count } = invoice
  const charges = items.filter(({ entry_type: type }) => type === 'charge')
  const payments = items.filter(({ entry_type: type }) => type === 'payment')
  const isDue = sumOf(charges)
  const isPaid = 0 - sumOf(payments)
  const isSettled = (count ?? 0) > 0 && (left ?? 0) <= 0
  return [
    ...(due === isDue ? [] : [`Its total_due is ${due}, and its charges sum to ${isDue}`]),
    ...(paid === isPaid ? [] : [`Its total_paid is ${paid}, and its payments sum to ${isPaid}`]),
    ...(left === (due ?? 0) - (paid ?? 0)
      ? []
      : [`Its amount_due is ${left}, with a total_due of ${due} and a total_paid of ${paid}`]),
    ...(count === charges.length ? [] : [`Its item_count is ${count}, and it has ${charges.length} charges`]),
    ...((paid ?? 0) > (due ?? 0) ? [`Its total_paid of ${paid} is more than its total_due of ${due}`] : []),
    ...(isSettled === (invoice.paid_timestamp !== null)
      ? []
      : [`Its paid_timestamp is ${invoice.paid_timestamp}, and ${left} is left to pay`]),
  ]
}

/** Line items are deleted together with their invoice. */
function undeletedItems(items: readonly LineItemRow[]): string[] {
  return items.length === 0 ? [] : ['It is deleted, and its items are not']
}

/** A charge is its amount times its quantity; a payment counts once its transaction is processed. */
function itemProblems(
  invoice: InvoiceRow,
  item: LineItemRow,
  payments: ReadonlyMap<string, Payment>,
): string[] {
  const { id, entry_type: type, amount, qty, total, transaction_id: payment } = item
  const whole = (amount ?? 0) * (qty ?? 1)
  const waits = type === 'payment' && payment !== null && total === 0
  const missing = [qty, total, ...(waits ? [] : [amount])].includes(null)
  return [
    ...(missing ? [`Its line item ${id} lacks its amount, quantity or total`] : []),
    ...(total === whole || waits
      ? []
      : [`Its line item ${id} totals ${total}, and ${amount} times ${qty} is ${whole}`]),
    ...(type === 'payment' ? paidProblems(invoice, item, payments.get(payment ?? '')) : chargeProblems(item)),
  ]
}

function chargeProblems({
  id,
  qty,
  transaction_id: payment,
  payment_outcome: outcome,
}: LineItemRow): string[] {
  if (payment !== null || outcome !== null) return [`Its charge ${id} is paid by ${payment}`]
  return (qty ?? 0) >= 0 ? [] : [`Its charge ${id} has a quantity of ${qty}`]
}

/**
 * A line item that pays names a payment to the same account, and holds its outcome. A payment that can no longer pay
 * may be to another account.
 */
function paidProblems(
  { processing_id: account }: InvoiceRow,
  item: LineItemRow,
  payment: Payment | undefined,
): string[] {
  const { id, qty, total, transaction_id: of, payment_outcome: outcome, set_aside: aside } = item
  const problems = qty === 1 ? [] : [`Its payment ${id} has a quantity of ${qty}`]
  if (of === null)
    return outcome === null && aside === null && (total ?? 0) < 0
      ? problems
      : [...problems, `Its payment ${id} without a transaction totals ${total}, with the outcome ${outcome}`]
  if (!payment) return [...problems, `Its payment ${id} is by ${of}, which does not exist`]
  const expected = (payment.status && OUTCOMES[payment.status]) ?? null
  const isFree = payment.status === 'declined' && outcome === null
  return [
    ...problems,
    ...(payment.type === 'payment' && isPaidTo(account, payment)
      ? []
      : [`Its payment ${id} is by ${of}, which is not a payment to ${account}`]),
    ...(outcome === expected || isFree
      ? []
      : [`The outcome of its payment ${id} is ${outcome}, and ${of} is ${payment.status}`]),
    ...asideProblems(item, payment),
  ]
}

/**
 * Until a payment is processed, each of its line items sets an amount aside for an invoice. It is the requested
 * amount, if one was requested.
 */
function asideProblems({ id, amount, set_aside: aside }: LineItemRow, { id: of, status }: Payment): string[] {
  const isOpen = status === 'authorized' || status === 'processing'
  const isRequested = aside === null || amount === null || aside === -amount
  return isOpen === (aside !== null) && (aside ?? 1) > 0 && isRequested
    ? []
    : [`Its payment ${id} of ${amount} sets ${aside} aside, and ${of} is ${status}`]
}

function isPaidTo(account: string | null, payment: Payment): boolean {
  return payment.processing_id === account || !mayPay(payment)
}

const OUTCOMES: Readonly<Partial<Record<NonNullable<Payment['status']>, string>>> = {
  processing: 'open',
  declined: 'declined',
}

/** The times at which an invoice is overdue and collected follow from its dates, in the paid account's time zone. */
function dayProblems(invoice: InvoiceRow, zone: string | undefined): string[] {
  const { due_date: due, overdue_at: overdue, collect_on: on, collect_at: at, slot } = invoice
  if (invoice.deleted_at !== null || zone === undefined) return []
  const expected = collectingFrom(zone, on)
  return [
    ...(overdue === overdueAt(zone, due) ? [] : [`It is overdue at ${overdue}, and due on ${due}`]),
    ...(at === expected.collect_at ? [] : [`It is collected on ${on}, at ${at}`]),
    ...(on !== null && (slot === null || due === null || on < due)
      ? [`It is collected on ${on}, is due on ${due}, and was billed for ${slot}`]
      : []),
    ...(slot !== null && invoice.billing_schedule_id === null
      ? [`It was billed for ${slot}, and names no schedule`]
      : []),
  ]
}

function sumOf(items: readonly LineItemRow[]): number {
  return items.reduce((sum, { total }) => sum + (total ?? 0), 0)
}

/**
 * The allocated amount of a payment is the sum of its line items, and at most what remains of the payment. A refund
 * reduces that remainder when it is processed. See docs/money.md, "Invoices".
 */
export function allocationProblems(history: TransactionHistory): string[] {
  const { row, items } = history
  const { allocated, amount } = row
  const aside = items.reduce((total, item) => total + (item.set_aside ?? 0), 0)
  const sum = 0 - items.reduce((total, item) => total + (item.total ?? 0), 0)
  const left = (row.amount ?? 0) - (row.refunded ?? 0) - (row.charged_back ?? 0) + reservedOf(history)
  const worth = row.type === 'payment' && row.status === 'processed' ? left : 0
  return [
    ...(allocated === sum ? [] : [`Its allocated is ${allocated}, and its line items sum to ${sum}`]),
    ...((allocated ?? 0) <= worth ? [] : [`Its allocated is ${allocated}, and ${worth} of it is left`]),
    ...(aside <= (amount ?? 0) ? [] : [`Its amount is ${amount}, and it sets ${aside} aside`]),
  ]
}
