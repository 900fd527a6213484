import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import type { JsonObject } from '../../../schema/json.js'
import type { Frequency } from './slots.js'

/** The sub-objects of a schedule that say on which days it bills, each for the frequency of its name. */
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

/** What a client sent for another frequency than the schedule has: `details`, or nothing. */
export function foreignDays(sent: When, frequency: Frequency | null): JsonObject | undefined {
  const foreign = DAYS_OF.filter((name) => name !== frequency && isFilled(sent[name]))
  if (foreign.length === 0) return undefined
  return Object.fromEntries(foreign.map((name) => [name, `Only with recurring_frequency ${name}`]))
}

/** Why a schedule cannot last as long as it says: `details`, or nothing. */
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
