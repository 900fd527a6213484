import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import { daysFrom } from './slots.js'

type DayColumn = Extract<keyof BillingScheduleRow, `${string}__${string}`>
type Days = Partial<Pick<BillingScheduleRow, DayColumn>>

/**
 * Billing days derived from the start date of a schedule. They are stored, so that clients see them. A day that is
 * not set is derived. A day that came from the start date of `before` is derived anew, unless its group is in
 * `named`. `named` are the groups that the request sent. Returns only the columns that change.
 */
export function daysToShow(
  row: BillingScheduleRow,
  { before, named = [] }: { readonly before?: BillingScheduleRow; readonly named?: readonly string[] } = {},
): Days {
  const old: Partial<Record<string, number | null>> = before ? derivedDays(before) : {}
  const stored: Partial<Record<string, unknown>> = row
  const followed = Object.entries(derivedDays(row)).filter(([column, day]) => {
    const value = stored[column]
    const isFree = value === null || (value === old[column] && !named.includes(column.split('__')[0] ?? ''))
    return isFree && value !== day
  })
  return Object.fromEntries(followed)
}

function derivedDays({ recurring_frequency: frequency, start_date: start }: BillingScheduleRow): Days {
  if (frequency === null || start === null) return {}
  const { annually, bimonthly, monthly, quarterly } = daysFrom(start)
  switch (frequency) {
    case 'daily':
    case 'weekly':
    case 'biweekly':
      return {}
    case 'bimonthly':
      return {
        bimonthly__first_billing_day: bimonthly.firstBillingDay,
        bimonthly__second_billing_day: bimonthly.secondBillingDay,
      }
    case 'monthly':
      return { monthly__billing_day: monthly.billingDay }
    case 'quarterly': {
      const { q1, q2, q3, q4 } = quarterly
      return {
        quarterly__q1__billing_day: q1.billingDay,
        quarterly__q1__billing_month: q1.billingMonth,
        quarterly__q2__billing_day: q2.billingDay,
        quarterly__q2__billing_month: q2.billingMonth,
        quarterly__q3__billing_day: q3.billingDay,
        quarterly__q3__billing_month: q3.billingMonth,
        quarterly__q4__billing_day: q4.billingDay,
        quarterly__q4__billing_month: q4.billingMonth,
      }
    }
    case 'annually':
      return {
        annually__billing_day: annually.billingDay,
        annually__billing_month: annually.billingMonth,
      }
  }
}
