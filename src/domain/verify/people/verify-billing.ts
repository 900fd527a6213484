import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { instantOf } from '../../../platform/calendar/zone.js'
import { datetimeOf } from '../../../schema/datetime.js'
import { ONE_PIECE, times } from '../../../schema/money.js'
import { DAYS_OF, periodProblem, recurrenceOf } from '../../billing/schedules/recurrence.js'
import { slotsBetween } from '../../billing/schedules/slots.js'
import { findingsOf } from '../pass/finding.js'
import { passOver } from '../pass/pass.js'
import { zonesOf } from '../pass/zones.js'

/** A charge of a billing schedule is its amount times its quantity. Spec: "Billing charge". */
export const charges = passOver(
  'billing charges',
  (db) => db.selectFrom('billing_charges').select(['id', 'amount', 'qty', 'total']),
  async (_, rows) => ({
    count: rows.length,
    findings: rows.flatMap(({ id, amount, qty, total }) => {
      const whole = times(amount ?? 0, qty ?? ONE_PIECE)
      const isWhole = total === whole && amount !== null && qty !== null
      return isWhole ? [] : findingsOf('charge', id, [`It totals ${total}, and should total ${whole}`])
    }),
  }),
)

/**
 * The next slot of a schedule is a day of its recurrence after all billed slots. See docs/money.md, "Billing
 * schedules".
 */
export const schedules = passOver(
  'billing schedules',
  (db) => db.selectFrom('billing_schedules').selectAll(),
  async ({ tx: { db } }, rows) => {
    const ids = rows.map(({ id }) => id)
    const billed = await db
      .selectFrom('invoices')
      .select((eb) => ['billing_schedule_id as id', eb.fn.max('slot').as('slot')])
      .where('billing_schedule_id', 'in', ids)
      .groupBy('billing_schedule_id')
      .execute()
    const charged = await db
      .selectFrom('billing_charges')
      .select('billing_schedule_id as id')
      .distinct()
      .where('billing_schedule_id', 'in', ids)
      .where('deleted_at', 'is', null)
      .execute()
    const lastOf = new Map(billed.map(({ id, slot }) => [id, slot]))
    const hasCharges = new Set(charged.map(({ id }) => id))
    const zones = await zonesOf(
      db,
      rows.map(({ processing_id: id }) => id),
    )
    return {
      count: rows.length,
      findings: rows.flatMap((row) =>
        findingsOf('schedule', row.id, () =>
          scheduleProblems({
            row,
            zone: zones.get(row.processing_id ?? ''),
            billed: lastOf.get(row.id) ?? null,
            hasCharges: hasCharges.has(row.id),
          }),
        ),
      ),
    }
  },
)

/** A schedule, with the values that its next slot follows from. */
interface ExaminedSchedule {
  readonly row: BillingScheduleRow
  readonly zone: string | undefined
  /** The last slot that has, or had, an invoice. */
  readonly billed: string | null
  readonly hasCharges: boolean
}

function scheduleProblems(schedule: ExaminedSchedule): string[] {
  const { row, hasCharges } = schedule
  if (row.deleted_at !== null) return hasCharges ? ['It is deleted, and its charges are not'] : []
  const problems = foreignDays(row)
  if (periodProblem(row)) problems.push('Its start date and end date are not a valid period')
  return [...problems, ...nextProblems(schedule)]
}

function nextProblems({ row, zone, billed, hasCharges }: ExaminedSchedule): string[] {
  const { next_slot: slot, bills_at: at, end_date: end } = row
  const recurrence = recurrenceOf(row)
  if (slot === null || at === null) {
    // A schedule without a next slot is right if it cannot bill, or if an end date may leave it no billing day.
    const bills = recurrence !== undefined && hasCharges && end === null
    return slot === at && !bills ? [] : [dueText(slot, at)]
  }
  const problems = hasCharges ? [] : [`It bills ${slot} next, and has no charges`]
  const isSlot = recurrence !== undefined && !slotsBetween(recurrence, slot, slot).next().done
  if (!isSlot) problems.push(`It bills ${slot} next, which is not one of its days`)
  if (billed !== null && billed >= slot) problems.push(`It bills ${slot} next, and has billed ${billed}`)
  const isPlanned = zone === undefined || at === datetimeOf(instantOf(zone, slot))
  return isPlanned ? problems : [...problems, dueText(slot, at)]
}

function dueText(slot: string | null, at: string | null): string {
  return `It bills ${slot} next, and is due at ${at}`
}

/** Days of another frequency are removed when the frequency changes. */
function foreignDays(row: BillingScheduleRow): string[] {
  const set = Object.entries(row).filter(([column, value]) => value !== null && column.includes('__'))
  const foreign = set.filter(([column]) =>
    DAYS_OF.some((frequency) => frequency !== row.recurring_frequency && column.startsWith(`${frequency}__`)),
  )
  return foreign.map(([column]) => `It bills ${row.recurring_frequency}, and has ${column}`)
}
