import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const billingSchedules: Columns = {
  ...resourceColumns,
  customer_id: 'text required',
  description: 'text',
  end_date: 'text',
  processing_id: 'text required',
  recurring_frequency: 'text',
  start_date: 'text',
  type: 'text',
  annually__billing_day: 'integer',
  annually__billing_month: 'integer',
  bimonthly__first_billing_day: 'integer',
  bimonthly__second_billing_day: 'integer',
  monthly__billing_day: 'integer',
  quarterly__q1__billing_day: 'integer',
  quarterly__q1__billing_month: 'integer',
  quarterly__q2__billing_day: 'integer',
  quarterly__q2__billing_month: 'integer',
  quarterly__q3__billing_day: 'integer',
  quarterly__q3__billing_month: 'integer',
  quarterly__q4__billing_day: 'integer',
  quarterly__q4__billing_month: 'integer',
  next_slot: 'text',
  bills_at: 'text',
}
