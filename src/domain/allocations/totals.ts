import { sql } from 'kysely'
import { type ApiError, invalidAttributes } from '../../engine/core/request/api-error.js'
import type { TreeSums, Work } from '../../engine/core/write/work.js'
import { prepared } from '../../engine/store/database/prepared.js'
import type { InvoiceRow } from '../../engine/store/database/tables.js'
import { DEFAULT_CUT_OFF, wallDateAt } from '../../platform/calendar/cut-off.js'
import { resources } from '../../resources/resource-table.js'
import { formatMoney, LARGEST, type Minor } from '../../schema/money.js'
import { cutOffOf } from '../accounts/org-rule.js'
import { completeFailedLinks } from './complete-links.js'

/** Sums that line items add to the totals of an invoice. Minor units; negative ones reduce a total. */
export type Change = {
  readonly due: Minor
  readonly paid: Minor
  /** Number of charges added; negative for removed ones. */
  readonly charges: number
}

export const noChange: Change = { due: 0, paid: 0, charges: 0 }

/**
 * Runs `write`, which writes an invoice with its items, and then checks the totals. In between, the amount due may be
 * too small, as when a charge of a partly paid invoice is replaced. Returns the invoice. Throws `InvalidAttributes`
 * on `items`.
 */
export async function judgingItemsOf(
  work: Work,
  invoiceId: string,
  write: () => Promise<unknown>,
): Promise<InvoiceRow> {
  const changes = work.openTrees.get(resources.invoice) ?? new Map<string, TreeSums>()
  work.openTrees.set(resources.invoice, changes.set(invoiceId, noChange))
  try {
    await write()
    return await apply(work, invoiceId, changeSoFar(work, invoiceId) ?? noChange, 'items')
  } finally {
    changes.delete(invoiceId)
  }
}

/**
 * Adds new, changed or removed items to the totals of their invoice. Throws `InvalidAttributes` on `amount`. See
 * docs/money.md, "Invoices".
 */
export async function countItems(work: Work, invoiceId: string, change: Change): Promise<void> {
  const before = changeSoFar(work, invoiceId)
  if (before) work.openTrees.get(resources.invoice)?.set(invoiceId, plus(before, change))
  else await apply(work, invoiceId, change, 'amount')
}

/** An invoice, locked until the unit of work ends, and its amount due. Throws `InvalidAttributes`. */
export async function lockInvoice(work: Work, id: string): Promise<{ invoice: InvoiceRow; due: Minor }> {
  const invoice = await work.lock(resources.invoice, id)
  if (!invoice) throw invalidAttributes({ invoice_id: 'Not found' })
  const change = changeSoFar(work, id) ?? noChange
  return { invoice, due: (invoice.amount_due ?? 0) + change.due - change.paid }
}

/**
 * Sums that the items have added so far to an invoice whose tree is being written; undefined for any other invoice.
 */
function changeSoFar(work: Work, invoiceId: string): Change | undefined {
  const sums = work.openTrees.get(resources.invoice)?.get(invoiceId)
  return sums && { due: sums.due ?? 0, paid: sums.paid ?? 0, charges: sums.charges ?? 0 }
}

function plus(a: Change, b: Change): Change {
  return { due: a.due + b.due, paid: a.paid + b.paid, charges: a.charges + b.charges }
}

export function minus(a: Change, b: Change): Change {
  return { due: a.due - b.due, paid: a.paid - b.paid, charges: a.charges - b.charges }
}

async function apply(
  work: Work,
  invoiceId: string,
  change: Change,
  attribute: 'items' | 'amount',
): Promise<InvoiceRow> {
  if (change.due !== 0 || change.paid !== 0 || change.charges !== 0) {
    const today = await todayOf(work, invoiceId)
    const applied = await work.tx.change(addToTotals, { ...change, id: invoiceId, now: work.now, today })
    if (applied === 0) throw refusalOf(await work.refresh(resources.invoice, invoiceId), change, attribute)
  }
  const invoice = await work.refresh(resources.invoice, invoiceId)
  if (change.paid > 0 && invoice.paid_timestamp !== null) await completeFailedLinks(work, invoiceId)
  return invoice
}

/** Today's date in the time zone of the processing account that the invoice is paid to. */
async function todayOf(work: Work, invoiceId: string): Promise<string> {
  const { processing_id: paid = null } = (await work.find(resources.invoice, invoiceId)) ?? {}
  return wallDateAt(paid === null ? DEFAULT_CUT_OFF : await cutOffOf(work, paid), work.milliseconds)
}

function refusalOf(
  { total_due: due, total_paid: paid }: InvoiceRow,
  change: Change,
  attribute: string,
): ApiError {
  const after = { due: (due ?? 0) + change.due, paid: (paid ?? 0) + change.paid }
  if (after.due > LARGEST)
    return invalidAttributes({ [attribute]: `The invoice would exceed ${formatMoney(LARGEST)}` })
  if (change.paid > 0) return invalidAttributes({ [attribute]: exceedsDue(after.due - (paid ?? 0)) })
  return invalidAttributes({
    [attribute]:
      after.due < 0
        ? `The invoice would total ${formatMoney(after.due)}, and a total is never below 0.00`
        : `Leaves less due than the ${formatMoney(after.paid)} that is paid`,
  })
}

/** Message for a payment that exceeds the amount due. */
export function exceedsDue(due: Minor): string {
  return `Exceeds amount due of ${formatMoney(Math.max(0, due))}`
}

interface Adding extends Change {
  readonly id: string
  readonly now: string
  readonly today: string
}

/**
 * Adds to the totals of an invoice if they stay valid. The statement itself decides, so concurrent payments cannot
 * pay more than is due.
 */
const addToTotals = prepared<Adding, never>((db, param) => {
  const due = sql<number>`total_due + ${param('due')}`
  const paid = sql<number>`total_paid + ${param('paid')}`
  const isPaid = sql<boolean>`item_count + ${param('charges')} > 0 and ${paid} >= ${due}`
  return db
    .updateTable('invoices')
    .set({
      total_due: due,
      total_paid: paid,
      amount_due: sql<number>`${due} - (${paid})`,
      item_count: sql<number>`item_count + ${param('charges')}`,
      paid_timestamp: sql<
        string | null
      >`case when ${isPaid} then coalesce(paid_timestamp, ${param('today')}) end`,
      modified_at: param('now'),
    })
    .where('id', '=', param('id'))
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`${due} <= ${sql.lit(LARGEST)}`)
    .where(sql<boolean>`${paid} >= 0 and ${paid} <= ${due}`)
})
