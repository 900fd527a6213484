import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { BillingScheduleRow, InvoiceRow } from '../../../engine/store/database/tables.js'
import { millisecondsOf } from '../../../schema/datetime.js'
import { judgingItemsOf } from '../../allocations/totals.js'
import { collectingFrom } from '../invoices/collecting-days.js'
import { makeInvoice } from '../invoices/make-invoice.js'
import { zoneOf } from '../invoices/overdue.js'
import { draftOf } from './draft.js'
import { passSlot, todayOf } from './next-slot.js'

/** What became of a slot. */
export type Billed =
  | { readonly kind: 'made'; readonly invoice: InvoiceRow }
  | { readonly kind: 'made_before' }
  | {
      readonly kind: 'skipped'
      readonly schedule: BillingScheduleRow
      readonly slot: string
      readonly reason: string
    }

/**
 * Bills the next slot of a schedule if it is due at `at` (milliseconds since 1970): one unit of work. Whoever comes
 * second at the same time finds the slot passed.
 */
export async function billNext(work: Work, scheduleId: string, at: number): Promise<Billed | undefined> {
  const schedule = await work.lock('billing_schedule', scheduleId)
  const { next_slot: slot = null, bills_at: billsAt = null } = schedule ?? {}
  if (!schedule || slot === null || billsAt === null) return undefined
  if (millisecondsOf(billsAt) > Math.min(at, work.milliseconds)) return undefined
  const billed = await billSlot(work, schedule, slot)
  await passSlot(work, schedule, slot)
  return billed
}

/**
 * Bills the slots of days before today that a schedule has missed, by its terms as they still are: whatever changes
 * them changes only what comes. Whoever asks holds the schedule.
 */
export async function billMissed(work: Work, scheduleId: string): Promise<void> {
  await work.lock('billing_schedule', scheduleId)
  for (;;) {
    const schedule = await work.refresh('billing_schedule', scheduleId)
    const { next_slot: slot } = schedule
    if (slot === null || slot >= (await todayOf(work, schedule))) return
    await billSlot(work, schedule, slot)
    await passSlot(work, schedule, slot)
  }
}

/** Makes the invoice of a slot unless there is one. Whoever asks holds the schedule, so that no other makes it, too. */
export async function billSlot(work: Work, schedule: BillingScheduleRow, slot: string): Promise<Billed> {
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
  // The customer's program need not be allowed to write items: the schedule does.
  const invoice = await judgingItemsOf(work, id, async () => {
    for (const item of draft.items)
      await work.create('line_item', { ...item, invoice_id: id, incurred_date: slot })
  })
  const zone = await zoneOf(work, processing_id ?? '')
  return { kind: 'made', invoice: await work.change('invoice', invoice.id, collectingFrom(zone, slot)) }
}

/** Whether a slot has, or had, its invoice. */
export async function isBilled(work: Work, scheduleId: string, slot: string): Promise<boolean> {
  const [made] = await work.tx.run(invoiceOfSlot, { scheduleId, slot })
  return made !== undefined
}

/** Deleted ones too: a slot is billed once, ever. */
const invoiceOfSlot = prepared<{ scheduleId: string; slot: string }, { id: string }>((db, param) =>
  db
    .selectFrom('invoices')
    .select('id')
    .where('billing_schedule_id', '=', param('scheduleId'))
    .where('slot', '=', param('slot')),
)
