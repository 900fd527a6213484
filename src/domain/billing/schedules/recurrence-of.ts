import type { BillingScheduleRow } from '../../../engine/store/database/tables.js'
import type { AnnualDay, Recurrence } from './slots.js'

/** When a stored schedule bills; nothing as long as it does not say how often. */
export function recurrenceOf(row: BillingScheduleRow): Recurrence | undefined {
  const { recurring_frequency: frequency, start_date: startDate, end_date: endDate } = row
  if (frequency === null || startDate === null) return undefined
  const first = row.bimonthly__first_billing_day
  const second = row.bimonthly__second_billing_day
  return {
    ...{ frequency, startDate, endDate },
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
