import type { InvoiceRow, LineItemRow, TransactionRow } from '../../../src/engine/store/database/tables.js'
import { grouped, type Kept } from './kept.js'

/**
 * Checks that the totals of each invoice are the sums of its items, and that no invoice is overpaid. Allocated amounts
 * of payments must be on invoices. An invoice is overdue when its due date ends in the paid account's time zone. See
 * docs/money.md, "Invoices".
 */
export function invoiceProblems(kept: Kept): string[] {
  const { invoices, items, transactions } = kept
  const live = items.filter(({ deleted_at: deleted }) => deleted === null)
  const itemsOf = grouped(live, ({ invoice_id: id }) => id ?? '')
  const paidBy = grouped(live, ({ transaction_id: id }) => id ?? '')
  const invoiceById = new Map(invoices.map((row) => [row.id, row]))
  const zones = zonesOf(kept)
  return [
    ...live.flatMap((item) => itemProblems(item, invoiceById.get(item.invoice_id ?? ''))),
    ...invoices.flatMap((row) => totalProblems(row, itemsOf.get(row.id) ?? [])),
    ...invoices.flatMap((row) => overdueProblems(row, zones.get(row.processing_id ?? '') ?? ZONE)),
    ...transactions.flatMap((row) => allocationProblems(row, paidBy.get(row.id) ?? [], invoiceById)),
  ]
}

const ZONE = 'America/New_York'

function zonesOf({ accounts, orgs }: Kept): Map<string, string> {
  const byOrg = new Map(
    orgs.map(({ id, timezone, deleted_at: gone }) => [id, gone === null ? timezone : null]),
  )
  return new Map(accounts.map(({ id, parent_org_id: org }) => [id, byOrg.get(org ?? '') ?? ZONE]))
}

function itemProblems(item: LineItemRow, invoice: InvoiceRow | undefined): string[] {
  const { id, entry_type: type, amount, qty, total, payment_outcome: outcome } = item
  if (!invoice || invoice.deleted_at !== null) return [`${id} stands on no invoice`]
  const whole = (amount ?? 0) * (qty ?? Number.NaN)
  const isWhole = total === whole || (type === 'payment' && item.transaction_id !== null && total === 0)
  return [
    ...(isWhole ? [] : [`${id} has a total of ${total}, not ${whole}`]),
    ...(type === 'payment' && qty !== 1 ? [`${id} is a payment of ${qty}`] : []),
    ...(type === 'charge' && item.transaction_id !== null ? [`${id} is a charge of a transaction`] : []),
    ...(outcome === 'open' ? [`${id} waits for an outcome`] : []),
  ]
}

function totalProblems(invoice: InvoiceRow, items: readonly LineItemRow[]): string[] {
  const { id, total_due: due, total_paid: paid, amount_due: left, item_count: count } = invoice
  const charges = items.filter(({ entry_type: type }) => type === 'charge')
  const payments = items.filter(({ entry_type: type }) => type === 'payment')
  const expected =
    invoice.deleted_at === null
      ? [sum(charges), -sum(payments) + 0, sum(charges) + sum(payments), charges.length]
      : [due, 0, left, count]
  const actual = [due, paid, left, count]
  const isPaid = (count ?? 0) > 0 && (left ?? 0) <= 0
  const isOverpaid = (paid ?? 0) < 0 || ((paid ?? 0) > (due ?? 0) && paid !== 0)
  return [
    ...(expected.join() === actual.join() ? [] : [`${id} has totals ${actual}, not ${expected}`]),
    ...(isOverpaid ? [`${id} has ${paid} paid of ${due}`] : []),
    ...(isPaid === (invoice.paid_timestamp !== null) ? [] : [`${id} was paid on ${invoice.paid_timestamp}`]),
  ]
}

function overdueProblems({ id, due_date: due, overdue_at: at }: InvoiceRow, zone: string): string[] {
  if (due === null || at === null) return due === at ? [] : [`${id} is due on ${due}, overdue at ${at}`]
  const moment = Date.parse(`${at.replace(' ', 'T')}Z`)
  const last = dateIn(zone, moment - 1000)
  const next = dateIn(zone, moment)
  return last === due && next > due ? [] : [`${id} is due on ${due}, overdue at ${at} in ${zone}`]
}

/** Date in a time zone; `en-CA` writes dates as `YYYY-MM-DD`. */
function dateIn(timeZone: string, moment: number): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone }).format(moment)
}

function allocationProblems(
  row: TransactionRow,
  items: readonly LineItemRow[],
  invoices: ReadonlyMap<string, InvoiceRow>,
): string[] {
  const { id, type, status, amount, refunded, charged_back: back, allocated } = row
  const worth =
    type === 'payment' && status === 'processed' ? (amount ?? 0) - (refunded ?? 0) - (back ?? 0) : 0
  const isOver = status === 'declined' || status === 'voided'
  const foreign = items.filter(
    ({ invoice_id: invoice }) => !isOver && invoices.get(invoice ?? '')?.processing_id !== row.processing_id,
  )
  return [
    ...(sum(items) === -(allocated ?? 0)
      ? []
      : [`${id} has ${allocated} allocated, its items say ${-sum(items)}`]),
    ...((allocated ?? 0) <= worth ? [] : [`${id} has ${allocated} allocated and is worth ${worth}`]),
    ...foreign.map((item) => `${item.id} pays another account than ${id}`),
  ]
}

function sum(items: readonly LineItemRow[]): number {
  return items.reduce((total, item) => total + (item.total ?? Number.NaN), 0)
}
