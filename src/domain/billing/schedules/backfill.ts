import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { AdminRules } from '../../../engine/core/write/rule.js'
import type { Work } from '../../../engine/core/write/work.js'
import { resources } from '../../../resources/resource-table.js'
import type { AutomaticPayments } from '../../payments/take/take-payment.js'
import { type Billed, billSlot } from './bill-slot.js'
import { BillingReport } from './billing-report.js'
import { todayOf } from './next-slot.js'
import { isCollecting, plannedPayment } from './plan-billing.js'
import { recurrenceOf } from './recurrence.js'
import { slotsBetween } from './slots.js'

/**
 * Rule of `backfill_billing`: makes invoices for past days that a schedule has not billed and will not bill by
 * itself. Automatic payments collect these invoices only if the request says so.
 */
export function backfillRule(payments: AutomaticPayments): AdminRules['backfill_billing'] {
  return {
    async performInSteps({ read, write, dryRun }, { billing_schedule_id: scheduleId, from, collect }) {
      if (!scheduleId) throw invalidAttributes({ billing_schedule_id: 'Required' })
      if (!from) throw invalidAttributes({ from: 'Required' })
      const { missed, own } = await read((work) => slotsSince(work, scheduleId, from))
      const isCollected = collect === 1 && (await read((work) => isCharging(work, payments, scheduleId)))
      const report = new BillingReport()
      for (const slot of own) report.skip({ billing_schedule_id: scheduleId, slot, reason: OWN })
      for (const slot of missed) {
        const billed = await write((work) => fill(work, scheduleId, slot, collect === 1))
        report.billed(billed)
        if (isCollected) plan(report, billed, dryRun)
      }
      return report.shown
    },
  }
}
/** Reason why a slot is left out of a backfill. */
const OWN = 'The schedule bills it by itself: payctl billing run'

/**
 * The slots (billing days) of a schedule from a day to today. Slots in `missed` are billed only by a backfill. Slots
 * in `own` are those that the schedule still bills by itself. Throws `InvalidAttributes`.
 */
async function slotsSince(
  work: Work,
  scheduleId: string,
  from: string,
): Promise<Record<'missed' | 'own', readonly string[]>> {
  const schedule = await work.find(resources.billing_schedule, scheduleId)
  if (!schedule) throw invalidAttributes({ billing_schedule_id: 'Not found' })
  const recurrence = recurrenceOf(schedule)
  if (!recurrence) throw invalidAttributes({ billing_schedule_id: 'Has no recurring_frequency' })
  const slots = [...slotsBetween(recurrence, from, await todayOf(work, schedule))]
  const { next_slot: next } = schedule
  const isOwn = (slot: string) => next !== null && slot >= next
  return { missed: slots.filter((slot) => !isOwn(slot)), own: slots.filter(isOwn) }
}

/** Whether automatic payments charge the customer of a schedule now. */
async function isCharging(work: Work, payments: AutomaticPayments, scheduleId: string): Promise<boolean> {
  const schedule = await work.find(resources.billing_schedule, scheduleId)
  if (!schedule || !(await payments.isConnected(work))) return false
  return await isCollecting(work, schedule, await todayOf(work, schedule))
}

async function fill(
  work: Work,
  scheduleId: string,
  slot: string,
  isCollected: boolean,
): Promise<Billed | undefined> {
  const schedule = await work.lock(resources.billing_schedule, scheduleId)
  return schedule && (await billSlot(work, schedule, slot, isCollected))
}

/** Adds to the report the automatic payment that will collect a new invoice. */
function plan(report: BillingReport, billed: Billed | undefined, dryRun: boolean): void {
  if (billed?.kind === 'made' && billed.total > 0)
    report.payment(plannedPayment(dryRun ? null : billed.invoice.id, billed.total))
}
