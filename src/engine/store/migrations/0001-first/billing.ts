import { type Columns, resourceColumns } from '../builder/table.js'

export const billingSchedulesColumns: Columns = {
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

export const billingChargesColumns: Columns = {
  ...resourceColumns,
  amount: 'integer required',
  billing_schedule_id: 'text required',
  description: 'text',
  qty: 'integer',
  total: 'integer',
  type: 'text',
}

export const invoicesColumns: Columns = {
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

export const lineItemsColumns: Columns = {
  ...resourceColumns,
  amount: 'integer',
  description: 'text',
  entry_type: 'text required',
  incurred_date: 'text',
  invoice_id: 'text required',
  qty: 'integer',
  total: 'integer',
  transaction_id: 'text',
  type: 'text',
  payment_outcome: 'text',
}

export const invoiceAttachmentsColumns: Columns = {
  ...resourceColumns,
  invoice_id: 'text',
  payment_link_id: 'text',
  name: 'text',
  content_type: 'text',
  size: 'integer',
  checksum: 'text',
}

export const attachmentContentsColumns: Columns = {
  id: 'text required',
  content: 'bytes required',
}

/** Attempts to collect invoices by automatic payments. */
export const collectionsColumns: Columns = {
  id: 'text required',
  invoice_id: 'text required',
  attempt_date: 'text required',
  transaction_id: 'text',
  refusal: 'text',
  created_at: 'text required',
}
