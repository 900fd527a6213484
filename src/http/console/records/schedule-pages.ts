import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { BRIEF, invoiceColumns } from './related-lists.js'

export const schedulePages: ResourcePages = {
  resource: 'billing_schedule',
  at: ['schedules'],
  list: {
    heading: 'Billing schedules',
    lead: 'Each bills a customer again and again.',
    columns: ['description', 'customer[name]', 'recurring_frequency', 'status', 'start_date', 'end_date'],
    empty: {
      what: 'Schedules that make an invoice every week, month or year would be here.',
      command: 'payctl billing-schedules create --help',
    },
    trail: 'Schedules',
  },
  object: recordPage({
    heading: 'description',
    names: [
      'recurring_frequency',
      'customer',
      'processing_id',
      'start_date',
      'end_date',
      'monthly',
      'bimonthly',
      'quarterly',
      'annually',
      'created_at',
    ],
    lists: [
      {
        title: 'Charges',
        path: '/billing_schedules/:id/charges',
        query: { limit: '100' },
        resource: 'billing_charge',
        columns: ['description', 'qty', 'amount'],
        empty: 'What each invoice lists would be here; without a charge the schedule makes none.',
      },
      {
        title: 'Invoices',
        path: '/invoices',
        query: { billing_schedule_id: ':id', order_by: '-created_at', limit: BRIEF },
        resource: 'invoice',
        columns: invoiceColumns,
        empty: 'The invoices that it has made would be here.',
      },
    ],
  }),
}
