import type { Work } from '../../../engine/core/write/work.js'
import type { WorkRunner } from '../../../engine/jobs/due-job.js'
import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import type { Minor } from '../../../schema/money.js'
import { invoicesToCollect } from '../collecting/collecting-job.js'
import { collectingOf, isChargeable, isOver, methodOf } from '../collecting/collecting-of.js'
import type { DueObject } from '../due-objects.js'
import { zoneOf } from '../invoices/invoice-days.js'
import { type Draft, draftOf, isBilled } from './bill-slot.js'
import { schedulesToBill } from './billing-job.js'
import type { BillingReport, ReportedPayment } from './billing-report.js'
import { recurrenceOf } from './recurrence.js'
import { slotsBetween } from './slots.js'

type Reading = Pick<WorkRunner, 'read'>

interface Planning {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether there is a gateway that takes automatic payments. */
  readonly collects: boolean
  readonly report: BillingReport
}

/**
 * Reports the invoices and payments that a billing run would make now, without changing anything. Declines cannot be
 * foreseen. Reads are short, and memory use does not grow with the number of schedules and invoices.
 */
export async function planBilling({ read }: Reading, planning: Planning): Promise<void> {
  let schedule: DueObject | undefined
  do {
    const due: DueObject[] = await read((work) => schedulesToBill.dueBy(work, planning.now, schedule))
    for (const { id } of due) await read((work) => planSchedule(work, id, planning))
    schedule = due.at(-1)
  } while (schedule)
  let invoice: DueObject | undefined
  while (planning.collects) {
    const due: DueObject[] = await read((work) => invoicesToCollect.dueBy(work, planning.now, invoice))
    for (const { id } of due) await read((work) => planInvoice(work, id, planning))
    invoice = due.at(-1)
    if (!invoice) return
  }
}

async function planSchedule(work: Work, id: string, { now, collects, report }: Planning): Promise<void> {
  const schedule = await work.find(resources.billing_schedule, id)
  const recurrence = schedule && recurrenceOf(schedule)
  if (!recurrence || schedule.next_slot === null) return
  const today = localDate(await zoneOf(work, schedule.processing_id ?? ''), now)
  const draft = await draftOf(work, schedule)
  const isCollected = collects && (await isCollecting(work, schedule, today))
  for (const slot of slotsBetween(recurrence, schedule.next_slot, today))
    if (!(await isBilled(work, id, slot))) planSlot({ schedule, slot, draft, isCollected }, report)
}

/** Whether automatic payments charge the invoices that a schedule makes on this day. */
export async function isCollecting(
  work: Work,
  schedule: BillingScheduleRow,
  today: string,
): Promise<boolean> {
  const method = await methodOf(work, schedule)
  if (!method || !isChargeable(method)) return false
  return !(await isOver(work, { billing_schedule_id: schedule.id }, today))
}

interface Planned {
  readonly schedule: BillingScheduleRow
  readonly slot: string
  readonly draft: Draft
  readonly isCollected: boolean
}

function planSlot({ schedule, slot, draft, isCollected }: Planned, report: BillingReport): void {
  if (draft.kind === 'cannot') {
    report.skip({ billing_schedule_id: schedule.id, slot, reason: draft.reason })
    return
  }
  const { total: amount } = draft
  report.invoice({
    billing_schedule_id: schedule.id,
    invoice_id: null,
    customer_id: schedule.customer_id,
    due_date: slot,
    amount,
  })
  if (isCollected && amount > 0) report.payment(plannedPayment(null, amount))
}

async function planInvoice(work: Work, id: string, { now, report }: Planning): Promise<void> {
  const invoice = await work.find(resources.invoice, id)
  const step = invoice && (await collectingOf(work, invoice, now)).step
  if (step?.kind === 'charge') report.payment(plannedPayment(id, step.amount))
}

/** A payment that a run would attempt. `invoiceId` is null before the invoice is made; `amount` is in minor units. */
export function plannedPayment(invoiceId: string | null, amount: Minor): ReportedPayment {
  return { invoice_id: invoiceId, transaction_id: null, amount, outcome: null, reason: null }
}
