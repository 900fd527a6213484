import type { Work } from '../../engine/core/write/work.js'
import type { InvoiceRow, LineItemRow } from '../../engine/store/database/tables.js'
import { findingsOf, PAGE, type Pass } from './finding.js'
import { grouped } from './transaction-history.js'

/** An invoice is the sum of its line items, and nothing of it is overpaid. Money: "Invoices". */
export const invoices: Pass = {
  of: 'invoices',
  async examine({ tx: { db } }: Work, after) {
    const rows = await db
      .selectFrom('invoices')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    if (rows.length === 0) return { last: undefined, count: 0, findings: [] }
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
    const itemsOf = grouped(items, (item) => item.invoice_id)
    return {
      last: rows.at(-1)?.id,
      count: rows.length,
      findings: rows.flatMap((row) => {
        const own = itemsOf.get(row.id) ?? []
        return findingsOf('invoice', row.id, [...totalProblems(row, own), ...own.flatMap(itemProblems)])
      }),
    }
  },
}

/** Totals, count and date of payment, as the line items say. */
function totalProblems(invoice: InvoiceRow, items: readonly LineItemRow[]): string[] {
  const { total_due: due, total_paid: paid, amount_due: left, item_count: count } = invoice
  // Its items went with it.
  if (invoice.deleted_at !== null) return []
  const charges = items.filter(({ entry_type: type }) => type === 'charge')
  const payments = items.filter(({ entry_type: type }) => type === 'payment')
  const [isDue, isPaid] = [sumOf(charges), 0 - sumOf(payments)]
  const isSettled = (count ?? 0) > 0 && (left ?? 0) <= 0
  return [
    ...(due === isDue ? [] : [`${due} is said to be due in total, its charges sum to ${isDue}`]),
    ...(paid === isPaid ? [] : [`${paid} is said to be paid, its payments sum to ${isPaid}`]),
    ...(left === (due ?? 0) - (paid ?? 0) ? [] : [`${left} is said to be left of ${due} with ${paid} paid`]),
    ...(count === charges.length
      ? []
      : [`${count} charges are said to be on it, there are ${charges.length}`]),
    ...((paid ?? 0) > (due ?? 0) && paid !== 0 ? [`${paid} is paid of ${due}`] : []),
    ...(isSettled === (invoice.paid_timestamp !== null)
      ? []
      : [`It was paid on ${invoice.paid_timestamp}, with ${left} left`]),
  ]
}

/** A charge is its amount times its quantity; a payment counts once its transaction is processed. */
function itemProblems(item: LineItemRow): string[] {
  const { id, entry_type: type, amount, qty, total } = item
  const whole = (amount ?? 0) * (qty ?? 1)
  const waits = type === 'payment' && item.transaction_id !== null && total === 0
  return total === whole || waits
    ? []
    : [`Its line item ${id} totals ${total}, and ${amount} times ${qty} is ${whole}`]
}

function sumOf(items: readonly LineItemRow[]): number {
  return items.reduce((sum, { total }) => sum + (total ?? 0), 0)
}
