import { invalidAttributes } from '../../../engine/core/request/api-error.js'
import type { Rule, Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import type { JsonObject } from '../../../schema/json.js'
import type { InputFor } from '../../../schema/types.js'
import { zoneOf } from '../invoices/invoice-days.js'
import { billMissed } from './bill-slot.js'
import { judgingChargesOf } from './charges-total.js'
import { findNext } from './next-slot.js'
import { DAYS_OF, foreignDays, periodProblem, recurrenceOf } from './recurrence.js'
import { daysToShow } from './shown-days.js'

type ScheduleInput = InputFor<typeof resources.billing_schedule>

/**
 * Rule of billing schedules. Spec: "Billing schedule". A schedule without a start date starts today in the time zone
 * of its organization. Billing days of another frequency are refused, and cleared when the frequency changes. Missing
 * ones are derived from the start date. Missed slots are billed before a change.
 */
export const billingScheduleRule: Rule<typeof resources.billing_schedule> = {
  async create(work, input) {
    refuse(foreignDays(input, input.recurring_frequency ?? null))
    const { start_date: start, processing_id: processingId } = input
    const today = processingId ? localDate(await zoneOf(work, processingId), work.milliseconds) : null
    const dates = { start_date: start ?? today, end_date: input.end_date ?? null }
    refuse(periodProblem(dates))
    const plain = await judgingChargesOf(work, () =>
      work.createPlainly(resources.billing_schedule, { ...input, ...dates }),
    )
    const made = await changeDays(work, plain, daysToShow(plain))
    await findNext(work, made.id)
    return await work.refresh(resources.billing_schedule, made.id)
  },

  async update(work, row, input) {
    const { recurring_frequency: frequency = row.recurring_frequency } = input
    refuse(foreignDays(input, frequency))
    const missed = await billMissed(work, row.id)
    const updated = await judgingChargesOf(work, () =>
      work.updatePlainly(resources.billing_schedule, row, {
        ...input,
        ...clearedDays(frequency),
        // Invoices missing from a list that a caller sends are deleted. So those that were billed just now are added
        // to the list.
        ...(input.invoices && { invoices: [...input.invoices, ...missed.map(({ id }) => ({ id }))] }),
      }),
    )
    refuse(periodProblem(updated))
    const named = DAYS_OF.filter((name) => input[name])
    const changed = await changeDays(work, updated, daysToShow(updated, { before: row, named }))
    if (!hasOtherTerms(row, changed)) return changed
    await findNext(work, row.id)
    return await work.refresh(resources.billing_schedule, row.id)
  },

  /** Deletes a schedule with its charges. Its invoices remain, but automatic payments no longer collect them. */
  async delete(work, row) {
    await billMissed(work, row.id)
    await work.tx.change(leaveToPeople, { scheduleId: row.id })
    for (const charge of await work.findBy(resources.billing_charge, 'billing_schedule_id', row.id))
      await work.deletePlainly(resources.billing_charge, charge)
    await work.deletePlainly(resources.billing_schedule, row)
  },
}

/** Changes the columns directly: the invoices keep their `modified_at`, and no events are sent. */
const leaveToPeople = prepared<{ scheduleId: string }, never>((db, param) =>
  db
    .updateTable('invoices')
    .set({ collect_on: null, collect_at: null })
    .where('billing_schedule_id', '=', param('scheduleId'))
    .where('collect_on', 'is not', null),
)

/** Writes the billing days of a schedule that have changed, if any. */
async function changeDays(
  work: Work,
  row: BillingScheduleRow,
  days: Partial<BillingScheduleRow>,
): Promise<BillingScheduleRow> {
  return Object.keys(days).length === 0 ? row : await work.change(resources.billing_schedule, row.id, days)
}

/** Whether a schedule's billing days, or the time zone in which they begin, may have changed. */
function hasOtherTerms(before: BillingScheduleRow, after: BillingScheduleRow): boolean {
  const terms = (row: BillingScheduleRow) => JSON.stringify([recurrenceOf(row), row.processing_id])
  return terms(before) !== terms(after)
}

/** Billing days of all frequencies but this one, each null. */
function clearedDays(frequency: string | null): Pick<ScheduleInput, (typeof DAYS_OF)[number]> {
  return Object.fromEntries(DAYS_OF.filter((name) => name !== frequency).map((name) => [name, null]))
}

function refuse(problem: JsonObject | undefined): void {
  if (problem) throw invalidAttributes(problem)
}
