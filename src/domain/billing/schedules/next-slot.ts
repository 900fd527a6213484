import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { addDays, LAST_DATE } from '../../../platform/calendar/date.js'
import { instantOf, localDate } from '../../../platform/calendar/zone.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { zoneOf } from '../invoices/overdue.js'
import { recurrenceOf } from './recurrence-of.js'
import { nextSlot, slotsBetween } from './slots.js'

/** Today where a schedule bills: in the time zone of its organization. */
export async function todayOf(
  work: Work,
  { processing_id: processingId }: Pick<BillingScheduleRow, 'processing_id'>,
): Promise<string> {
  return localDate(await zoneOf(work, processingId ?? ''), work.milliseconds)
}

/** A slot of a schedule is billed, or cannot be: the one after it is next. */
export async function passSlot(work: Work, schedule: BillingScheduleRow, slot: string): Promise<void> {
  const recurrence = recurrenceOf(schedule)
  await setNext(work, schedule, recurrence && nextSlot(recurrence, slot))
}

/**
 * Finds anew which slot a schedule bills next, after it was made, its days or its charges were changed: the first from
 * today on that comes after all that it has billed. Without charges it bills nothing. Money: "Billing schedules".
 */
export async function findNext(work: Work, scheduleId: string): Promise<void> {
  const schedule = await work.refresh('billing_schedule', scheduleId)
  const recurrence = recurrenceOf(schedule)
  const charges = await work.findBy('billing_charge', 'billing_schedule_id', scheduleId)
  if (!recurrence || charges.length === 0) return await setNext(work, schedule, undefined)
  const [from] = slotsBetween(recurrence, await firstDay(work, schedule), LAST_DATE)
  await setNext(work, schedule, from)
}

/** Slots before a schedule was made are billed on request only, those that were billed never again. */
async function firstDay(work: Work, schedule: BillingScheduleRow): Promise<string> {
  const zone = await zoneOf(work, schedule.processing_id ?? '')
  const [last] = await work.tx.run(lastSlot, { scheduleId: schedule.id })
  const days = [
    localDate(zone, work.milliseconds),
    // It may have been made later than now: the clock of the test environment is set back, too.
    localDate(zone, millisecondsOf(schedule.created_at)),
    ...(last?.slot ? [addDays(last.slot, 1)] : []),
  ]
  return days.toSorted().at(-1) ?? LAST_DATE
}

async function setNext(
  work: Work,
  { id, processing_id: processingId }: BillingScheduleRow,
  slot: string | undefined,
): Promise<void> {
  const at = slot === undefined ? null : instantOf(await zoneOf(work, processingId ?? ''), slot)
  await work.tx.change(next, { id, slot: slot ?? null, at: at === null ? null : datetimeOf(at) })
  await work.refresh('billing_schedule', id)
}

/** The schedule's days may begin at another time now. One statement for each slot. */
export async function moveSlots(work: Work, processingId: string): Promise<void> {
  const zone = await zoneOf(work, processingId)
  for (const { next_slot: slot } of await work.tx.run(slotsOf, { processingId }))
    if (slot !== null)
      await work.tx.change(move, { processingId, slot, at: datetimeOf(instantOf(zone, slot)) })
}

/** Deleted invoices too: their slots stay theirs. */
const lastSlot = prepared<{ scheduleId: string }, { slot: string | null }>((db, param) =>
  db
    .selectFrom('invoices')
    .select('slot')
    .where('billing_schedule_id', '=', param('scheduleId'))
    .where('slot', 'is not', null)
    .orderBy('slot', 'desc')
    .limit(1),
)

/** Not as an update of the schedule: for its clients nothing was changed. */
const next = prepared<{ id: string; slot: string | null; at: string | null }, never>((db, param) =>
  db
    .updateTable('billing_schedules')
    .set({ next_slot: param('slot'), bills_at: param('at') })
    .where('id', '=', param('id')),
)

const slotsOf = prepared<{ processingId: string }, Pick<BillingScheduleRow, 'next_slot'>>((db, param) =>
  db
    .selectFrom('billing_schedules')
    .select('next_slot')
    .distinct()
    .where('processing_id', '=', param('processingId'))
    .where('next_slot', 'is not', null),
)

const move = prepared<{ processingId: string; slot: string; at: string }, never>((db, param) =>
  db
    .updateTable('billing_schedules')
    .set({ bills_at: param('at') })
    .where('processing_id', '=', param('processingId'))
    .where('next_slot', '=', param('slot')),
)
