import type { Columns } from '../builder/table.js'
import { resourceColumns } from './resource-columns.js'

export const invoices: Columns = {
  ...resourceColumns,
  amount_due: 'integer',
  billing_schedule_id: 'text',
  customer_id: 'text required',
  description: 'text',
  due_date: 'text',
  paid_timestamp: 'text',
  processing_id: 'text',
  processing_settings_id: 'text',
  total_due: 'integer',
  total_paid: 'integer',
  type: 'text',
  billing_contact__city: 'text',
  billing_contact__email: 'text',
  billing_contact__name: 'text',
  billing_contact__postal_code: 'text',
  billing_contact__state_province: 'text',
  billing_contact__street_address1: 'text',
  item_count: 'integer',
  overdue_at: 'text',
  slot: 'text',
  collect_on: 'text',
  collect_at: 'text',
}
