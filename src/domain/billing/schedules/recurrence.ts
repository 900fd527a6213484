import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import type { JsonObject } from '../../../schema/json.js'
import type { AnnualDay, Frequency, Recurrence } from './slots.js'

/** Attributes of a schedule with its billing days. Each is for the frequency of the same name. */
export const DAYS_OF = [
  'annually',
  'bimonthly',
  'monthly',
  'quarterly',
] as const satisfies readonly Frequency[]

type DaysOf = (typeof DAYS_OF)[number]
type When = { readonly [N in DaysOf]?: object | null | undefined } & {
  readonly recurring_frequency?: Frequency | null | undefined
}

/** `details` of an error for days of another frequency than the schedule's; undefined when there are none. */
export function foreignDays(sent: When, frequency: Frequency | null): JsonObject | undefined {
  const foreign = DAYS_OF.filter((name) => name !== frequency && isFilled(sent[name]))
  if (foreign.length === 0) return undefined
  return Object.fromEntries(foreign.map((name) => [name, `Only with recurring_frequency ${name}`]))
}

/** `details` of an error in the dates of a schedule; undefined when they are valid. */
export function periodProblem({
  start_date: start,
  end_date: end,
}: Pick<BillingScheduleRow, 'start_date' | 'end_date'>): JsonObject | undefined {
  if (start === null) return { start_date: 'Required' }
  return end !== null && end < start ? { end_date: 'Must not be before start_date' } : undefined
}

function isFilled(days: object | null | undefined): boolean {
  return Object.values(days ?? {}).some((value) =>
    typeof value === 'object' ? isFilled(value) : value !== undefined,
  )
}

/** The recurrence of a stored schedule; undefined while it has no frequency. */
export function recurrenceOf(row: BillingScheduleRow): Recurrence | undefined {
  const { recurring_frequency: frequency, start_date: startDate, end_date: endDate } = row
  if (frequency === null || startDate === null) return undefined
  const first = row.bimonthly__first_billing_day
  const second = row.bimonthly__second_billing_day
  return {
    frequency,
    startDate,
    endDate,
    annually: annualDay(row.annually__billing_day, row.annually__billing_month),
    bimonthly:
      first === null || second === null ? null : { firstBillingDay: first, secondBillingDay: second },
    monthly: row.monthly__billing_day === null ? null : { billingDay: row.monthly__billing_day },
    quarterly: {
      q1: annualDay(row.quarterly__q1__billing_day, row.quarterly__q1__billing_month),
      q2: annualDay(row.quarterly__q2__billing_day, row.quarterly__q2__billing_month),
      q3: annualDay(row.quarterly__q3__billing_day, row.quarterly__q3__billing_month),
      q4: annualDay(row.quarterly__q4__billing_day, row.quarterly__q4__billing_month),
    },
  }
}

function annualDay(billingDay: number | null, billingMonth: number | null): AnnualDay | null {
  return billingDay === null || billingMonth === null ? null : { billingDay, billingMonth }
}
