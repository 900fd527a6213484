import type { Work } from '../../../engine/core/write/work.js'
import { prepared } from '../../../engine/store/database/prepared.js'
import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { addDays, LAST_DATE } from '../../../platform/calendar/date.js'
import { instantOf, localDate } from '../../../platform/calendar/zone.js'
import { resources } from '../../../resources/resource-table.js'
import { datetimeOf, millisecondsOf } from '../../../schema/datetime.js'
import { moveCollecting, moveDueDates, zoneOf } from '../invoices/invoice-days.js'
import { recurrenceOf } from './recurrence.js'
import { nextSlot, slotsBetween } from './slots.js'

/** Today in the time zone of a schedule's organization. */
export async function todayOf(
  work: Work,
  { processing_id: processingId }: Pick<BillingScheduleRow, 'processing_id'>,
): Promise<string> {
  return localDate(await zoneOf(work, processingId ?? ''), work.milliseconds)
}

/** Makes the slot after the given one the next slot of a schedule. */
export async function passSlot(work: Work, schedule: BillingScheduleRow, slot: string): Promise<void> {
  const recurrence = recurrenceOf(schedule)
  await setNext(work, schedule, recurrence && nextSlot(recurrence, slot))
}

/**
 * Recalculates the next slot of a schedule after it was created, or its days or charges changed. It is the first slot
 * from today on that is later than all billed ones. Without charges there is none. See docs/money.md, "Billing
 * schedules".
 */
export async function findNext(work: Work, scheduleId: string): Promise<void> {
  const schedule = await work.refresh(resources.billing_schedule, scheduleId)
  const recurrence = recurrenceOf(schedule)
  const charges = await work.findBy(resources.billing_charge, 'billing_schedule_id', scheduleId)
  if (!recurrence || charges.length === 0) return await setNext(work, schedule, undefined)
  const [from] = slotsBetween(recurrence, await firstDay(work, schedule), LAST_DATE)
  await setNext(work, schedule, from)
}

/**
 * The first day that may be the next slot. Earlier slots are billed only by a backfill, and no slot is billed twice.
 */
async function firstDay(work: Work, schedule: BillingScheduleRow): Promise<string> {
  const zone = await zoneOf(work, schedule.processing_id ?? '')
  const [last] = await work.tx.run(lastSlot, { scheduleId: schedule.id })
  const days = [
    localDate(zone, work.milliseconds),
    // The days of creation and of the last billed slot may be later than today: the clock of the test environment can
    // be set back.
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
  await work.refresh(resources.billing_schedule, id)
}

/**
 * Recalculates when the schedules of a processing account bill, after its time zone may have changed. Runs one
 * statement for each slot.
 */
async function moveSlots(work: Work, processingId: string): Promise<void> {
  const zone = await zoneOf(work, processingId)
  for (const { next_slot: slot } of await work.tx.run(slotsOf, { processingId }))
    if (slot !== null)
      await work.tx.change(move, { processingId, slot, at: datetimeOf(instantOf(zone, slot)) })
}

/** Deleted invoices count: their slots stay billed. */
const lastSlot = prepared<{ scheduleId: string }, { slot: string | null }>((db, param) =>
  db
    .selectFrom('invoices')
    .select('slot')
    .where('billing_schedule_id', '=', param('scheduleId'))
    .where('slot', 'is not', null)
    .orderBy('slot', 'desc')
    .limit(1),
)

/** Changes the columns directly: the schedule keeps its `modified_at`, and no event is sent. */
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

/**
 * Recalculates what depends on the time zone of a processing account. This is when its invoices become overdue, when
 * its schedules bill, and when automatic payments are due.
 */
export async function moveDays(work: Work, processingId: string): Promise<void> {
  await moveDueDates(work, processingId)
  await moveSlots(work, processingId)
  await moveCollecting(work, processingId)
}
