import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import {
  addDays,
  dateIn,
  daysBetween,
  LAST_DATE,
  monthLength,
  partsOf,
} from '../../../platform/calendar/date.js'

/**
 * Stored recurrence of a billing schedule. A date on which the schedule bills is a slot. Dates are `YYYY-MM-DD`.
 * Spec: "Billing schedule".
 */
export interface Recurrence {
  readonly frequency: Frequency
  /** The first date that can be a slot. */
  readonly startDate: string
  /** The last date that can be a slot; null for no end. */
  readonly endDate: string | null
  readonly annually?: AnnualDay | null
  readonly bimonthly?: BimonthlyDays | null
  readonly monthly?: MonthlyDay | null
  /** Missing quarters are derived from the start date, like other missing days. */
  readonly quarterly?: Readonly<Partial<Record<Quarter, AnnualDay | null>>> | null
}

export type Frequency = NonNullable<BillingScheduleRow['recurring_frequency']>
export type Quarter = 'q1' | 'q2' | 'q3' | 'q4'

export interface MonthlyDay {
  /** 1 to 31. */
  readonly billingDay: number
}
export interface AnnualDay extends MonthlyDay {
  /** 1 to 12. */
  readonly billingMonth: number
}
export interface BimonthlyDays {
  readonly firstBillingDay: number
  readonly secondBillingDay: number
}

/**
 * The dates from `from` to `to` inclusive on which a schedule bills, in order. See docs/money.md, "Billing
 * schedules".
 */
export function* slotsBetween(recurrence: Recurrence, from: string, to: string): Generator<string> {
  const { startDate, endDate } = recurrence
  const first = from < startDate ? startDate : from
  const last = endDate !== null && endDate < to ? endDate : to
  for (const slot of slotsFrom(recurrence, first)) {
    if (slot > last) return
    yield slot
  }
}

/** The first slot after a date; undefined when the schedule has ended by then. */
export function nextSlot(recurrence: Recurrence, after: string): string | undefined {
  for (const slot of slotsBetween(recurrence, addDays(after, 1), LAST_DATE)) return slot
  return undefined
}

/** Slots from a date on or after the start, ignoring the end date. */
function slotsFrom(recurrence: Recurrence, from: string): Generator<string> {
  switch (recurrence.frequency) {
    case 'daily':
      return everyDays(1, recurrence.startDate, from)
    case 'weekly':
      return everyDays(7, recurrence.startDate, from)
    case 'biweekly':
      return everyDays(14, recurrence.startDate, from)
    case 'bimonthly':
    case 'monthly':
    case 'quarterly':
    case 'annually':
      return billingDays(monthOf(recurrence), from)
  }
}

function* everyDays(days: number, start: string, from: string): Generator<string> {
  const last = daysBetween(start, LAST_DATE)
  const first = Math.ceil(daysBetween(start, from) / days) * days
  for (let passed = first; passed <= last; passed += days) yield addDays(start, passed)
}

/**
 * Function that returns the billing days of a month (1 to 12) with `length` days. A day beyond `length` means the last
 * day.
 */
type MonthDays = (month: number, length: number) => readonly number[]

function* billingDays(daysIn: MonthDays, from: string): Generator<string> {
  const last = partsOf(LAST_DATE).year
  for (let { year, month } = partsOf(from); year <= last; [year, month] = monthAfter(year, month)) {
    const days = daysIn(month, monthLength(year, month))
    const slots = new Set(days.map((day) => dateIn(year, month, day)))
    for (const slot of [...slots].sort()) if (slot >= from) yield slot
  }
}

function monthAfter(year: number, month: number): [number, number] {
  return month === 12 ? [year + 1, 1] : [year, month + 1]
}

/** The default billing days of each frequency, derived from the start date of a schedule. */
export function daysFrom(startDate: string): DerivedDays {
  const { day, month } = partsOf(startDate)
  const quarter = (index: number) => ({ billingDay: day, billingMonth: index * 3 + ((month - 1) % 3) + 1 })
  return {
    annually: { billingDay: day, billingMonth: month },
    bimonthly: halfAMonthApart(day),
    monthly: { billingDay: day },
    quarterly: { q1: quarter(0), q2: quarter(1), q3: quarter(2), q4: quarter(3) },
  }
}

export interface DerivedDays {
  readonly annually: AnnualDay
  readonly bimonthly: BimonthlyDays
  readonly monthly: MonthlyDay
  readonly quarterly: Readonly<Record<Quarter, AnnualDay>>
}

/** Finds the billing days of each month; those that the schedule does not set are derived from its start date. */
function monthOf(recurrence: Recurrence): MonthDays {
  const { frequency, monthly, bimonthly, annually, quarterly, startDate } = recurrence
  const derived = daysFrom(startDate)
  switch (frequency) {
    case 'bimonthly': {
      const days = bimonthly ?? derived.bimonthly
      return (_, length) => twoDays(days, length)
    }
    case 'quarterly': {
      const days = QUARTERS.map((quarter) => quarterly?.[quarter] ?? derived.quarterly[quarter])
      return (month) => daysOf(days, month)
    }
    case 'annually': {
      const days = [annually ?? derived.annually]
      return (month) => daysOf(days, month)
    }
    default: {
      const { billingDay } = monthly ?? derived.monthly
      return () => [billingDay]
    }
  }
}

const QUARTERS = ['q1', 'q2', 'q3', 'q4'] as const

/**
 * Two different billing days of a month. If both would be the same day, the first moves to the day before; on day 1,
 * the second moves to day 2.
 */
function twoDays({ firstBillingDay, secondBillingDay }: BimonthlyDays, length: number): readonly number[] {
  const first = Math.min(firstBillingDay, length)
  const second = Math.min(secondBillingDay, length)
  if (first !== second) return [first, second]
  return second === 1 ? [1, 2] : [second - 1, second]
}

/** The day of the start date and one fifteen days away, such as 1 and 16, 10 and 25, 15 and 30, 16 and 31. */
function halfAMonthApart(day: number): BimonthlyDays {
  const firstBillingDay = day > 15 ? day - 15 : day
  return { firstBillingDay, secondBillingDay: firstBillingDay + 15 }
}

function daysOf(days: readonly AnnualDay[], month: number): number[] {
  return days.filter(({ billingMonth }) => billingMonth === month).map(({ billingDay }) => billingDay)
}
