import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type {
  BillingChargeRow,
  BillingScheduleRow,
  InvoiceRow,
} from '../../../engine/store/database/tables.js'
import { resources } from '../../../resources/resource-table.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { formatMoney, LARGEST, type Minor, ONE_PIECE, showScaled } from '../../../schema/money.js'
import { judgingItemsOf } from '../../allocations/totals.js'
import { collectingFrom, zoneOf } from '../invoices/invoice-days.js'
import { makeInvoice } from '../invoices/make-invoice.js'
import { passSlot, todayOf } from './next-slot.js'

/** The outcome of billing a slot, which is one billing day of a schedule. */
export type Billed =
  | {
      readonly kind: 'made'
      readonly invoice: InvoiceRow
      /** Amount of the invoice in minor units; all of it is due. */
      readonly total: Minor
    }
  | { readonly kind: 'made_before' }
  | {
      readonly kind: 'skipped'
      readonly schedule: BillingScheduleRow
      readonly slot: string
      readonly reason: string
    }

/**
 * Bills the next slot of a schedule if it is due at `at` (milliseconds since 1970), in one unit of work. The schedule
 * is locked, so a second process finds it moved on to its next slot.
 */
export async function billNext(work: Work, scheduleId: string, at: number): Promise<Billed | undefined> {
  const schedule = await work.lock(resources.billing_schedule, scheduleId)
  const { next_slot: slot = null, bills_at: billsAt = null } = schedule ?? {}
  if (!schedule || slot === null || billsAt === null) return undefined
  if (millisecondsOf(billsAt) > Math.min(at, work.milliseconds)) return undefined
  const billed = await billSlot(work, schedule, slot)
  await passSlot(work, schedule, slot)
  return billed
}

/**
 * Bills the missed slots of a schedule, those before today, with its current terms. Called before the terms change,
 * so that a change affects only later slots. Runs with the system's permissions, because the caller may be unable to
 * see the customer. Returns the new invoices.
 */
export async function billMissed(work: Work, scheduleId: string): Promise<readonly InvoiceRow[]> {
  await work.lock(resources.billing_schedule, scheduleId)
  return await work.asSystem(async () => {
    const made: InvoiceRow[] = []
    for (;;) {
      const schedule = await work.refresh(resources.billing_schedule, scheduleId)
      const { next_slot: slot } = schedule
      if (slot === null || slot >= (await todayOf(work, schedule))) return made
      const billed = await billSlot(work, schedule, slot)
      if (billed.kind === 'made') made.push(billed.invoice)
      await passSlot(work, schedule, slot)
    }
  })
}

/**
 * Creates the invoice of a slot unless it exists. The caller has locked the schedule, so that only one is created.
 * `isCollected` says whether automatic payments collect the invoice.
 */
export async function billSlot(
  work: Work,
  schedule: BillingScheduleRow,
  slot: string,
  isCollected = true,
): Promise<Billed> {
  if (await isBilled(work, schedule.id, slot)) return { kind: 'made_before' }
  const draft = await draftOf(work, schedule)
  if (draft.kind === 'cannot') return { kind: 'skipped', schedule, slot, reason: draft.reason }
  const { customer_id, processing_id, description, type } = schedule
  const own = {
    customer_id,
    processing_id,
    description,
    type,
    billing_schedule_id: schedule.id,
    due_date: slot,
  }
  const { id } = await makeInvoice(work, own, slot)
  // The items follow from the schedule, so the caller's key needs no permission to create items.
  const invoice = await judgingItemsOf(work, id, async () => {
    for (const item of draft.items)
      await work.create(resources.line_item, { ...item, invoice_id: id, incurred_date: slot })
  })
  const { total } = draft
  if (!isCollected) return { kind: 'made', invoice, total }
  const zone = await zoneOf(work, processing_id ?? '')
  return {
    kind: 'made',
    total,
    invoice: await work.change(resources.invoice, invoice.id, collectingFrom(zone, slot)),
  }
}

/** Whether a slot has an invoice, even a deleted one. */
export async function isBilled(work: Work, scheduleId: string, slot: string): Promise<boolean> {
  const [made] = await work.tx.run(invoiceOfSlot, { scheduleId, slot })
  return made !== undefined
}

/** Deleted invoices count: a slot is billed only once. */
const invoiceOfSlot = prepared<{ scheduleId: string; slot: string }, { id: string }>((db, param) =>
  db
    .selectFrom('invoices')
    .select('id')
    .where('billing_schedule_id', '=', param('scheduleId'))
    .where('slot', '=', param('slot')),
)

/** An item of an invoice, made from a charge of a schedule. Amounts are in minor units. */
export interface DraftItem {
  readonly entry_type: 'charge'
  readonly amount: Minor
  readonly qty: number
  readonly description: string | null
  readonly type: string | null
}

/** The items of the next invoice of a schedule, or why there is none. */
export type Draft =
  | { readonly kind: 'bills'; readonly items: readonly DraftItem[]; readonly total: Minor }
  | { readonly kind: 'cannot'; readonly reason: string }

/**
 * The items that a schedule bills with its current charges, or the reason why it cannot bill. See docs/money.md,
 * "Billing schedules".
 */
export async function draftOf(work: Work, schedule: BillingScheduleRow): Promise<Draft> {
  const { customer_id: customerId, processing_id: processingId } = schedule
  if (!(await work.find(resources.customer, customerId ?? ''))) return cannot('Its customer is deleted')
  if (!(await work.find(resources.processing_account, processingId ?? '')))
    return cannot('Its processing account is deleted')
  return draftOfCharges(await work.findBy(resources.billing_charge, 'billing_schedule_id', schedule.id))
}

function draftOfCharges(charges: readonly BillingChargeRow[]): Draft {
  if (charges.length === 0) return cannot('It has no charges')
  const items = charges.map(itemOf)
  const total = items.reduce((sum, { amount, qty }) => sum + amount * qty, 0)
  if (total > LARGEST) return cannot(`Its charges exceed ${formatMoney(LARGEST)} together`)
  if (total < 0)
    return cannot(`Its charges come to ${formatMoney(total)}, and an invoice is never below 0.00`)
  return { kind: 'bills', items, total }
}

/**
 * Makes an item from a charge. Items have whole quantities. A charge with a fractional quantity becomes one item with
 * the total as its price, and with the quantity in its description.
 */
function itemOf({ amount, qty, total, description, type }: BillingChargeRow): DraftItem {
  const price = amount ?? 0
  const count = qty ?? ONE_PIECE
  if (count % ONE_PIECE === 0)
    return { entry_type: 'charge', amount: price, qty: count / ONE_PIECE, description, type }
  const pieces = `${showScaled(count, 4)} × ${formatMoney(price)}`
  return {
    entry_type: 'charge',
    amount: total ?? 0,
    qty: 1,
    description: description === null ? pieces : `${description} (${pieces})`,
    type,
  }
}

function cannot(reason: string): Draft {
  return { kind: 'cannot', reason }
}
