import { invalidAttributes } from '../../../engine/core/request/errors.js'
import type { InputByName, Rule } from '../../../engine/core/write/work.js'
import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import type { JsonObject } from '../../../schema/json.js'
import { zoneOf } from '../invoices/overdue.js'
import { billMissed } from './bill-slot.js'
import { findNext } from './next-slot.js'
import { DAYS_OF, foreignDays, periodProblem } from './recurrence.js'
import { recurrenceOf } from './recurrence-of.js'

type ScheduleInput = InputByName['billing_schedule']

/**
 * Spec: "Billing schedule". It starts today unless told, in the time zone of its organization; days that belong to
 * another frequency are refused, and forgotten when the frequency changes. What it has missed is billed before it changes.
 */
export const billingScheduleRule: Rule<'billing_schedule'> = {
  async create(work, input) {
    refuse(foreignDays(input, input.recurring_frequency ?? null))
    const { start_date: start, processing_id: processingId } = input
    const today = processingId ? localDate(await zoneOf(work, processingId), work.milliseconds) : null
    const dates = { start_date: start ?? today, end_date: input.end_date ?? null }
    refuse(periodProblem(dates))
    const made = await work.createPlainly('billing_schedule', { ...input, ...dates })
    await findNext(work, made.id)
    return made
  },

  async update(work, row, input) {
    const { recurring_frequency: frequency = row.recurring_frequency } = input
    refuse(foreignDays(input, frequency))
    await billMissed(work, row.id)
    const changed = await work.updatePlainly('billing_schedule', row, { ...input, ...forgotten(frequency) })
    refuse(periodProblem(changed))
    if (billsOtherwise(row, changed)) await findNext(work, row.id)
    return changed
  },

  /** Its charges go with it; the invoices that it made stay. */
  async delete(work, row) {
    await billMissed(work, row.id)
    for (const charge of await work.findBy('billing_charge', 'billing_schedule_id', row.id))
      await work.deletePlainly('billing_charge', charge)
    await work.deletePlainly('billing_schedule', row)
  },
}

/** Whether the days on which it bills, or where they begin, may be others. */
function billsOtherwise(before: BillingScheduleRow, after: BillingScheduleRow): boolean {
  const terms = (row: BillingScheduleRow) => JSON.stringify([recurrenceOf(row), row.processing_id])
  return terms(before) !== terms(after)
}

/** The days of all other frequencies, as nothing. */
function forgotten(frequency: string | null): Pick<ScheduleInput, (typeof DAYS_OF)[number]> {
  return Object.fromEntries(DAYS_OF.filter((name) => name !== frequency).map((name) => [name, null]))
}

function refuse(problem: JsonObject | undefined): void {
  if (problem) throw invalidAttributes(problem)
}
