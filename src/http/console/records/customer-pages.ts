import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { offeredWrite } from '../offers/offered-write.js'
import { BRIEF, invoiceColumns, linksOf, paymentsOf } from './related-lists.js'

export const customerPages: ResourcePages = {
  resource: 'customer',
  at: ['customers'],
  list: {
    heading: 'Customers',
    lead: 'People and companies that pay, with their saved cards and bank accounts.',
    columns: ['name', 'email', 'phone_number', 'primary_processing_id', 'created_at'],
    empty: {
      what: 'People and companies that pay would be here.',
      command: 'payctl customers create --name "Ada Park" --email ada@example.com',
    },
  },
  object: recordPage({
    heading: 'name',
    names: ['email', 'phone_number', 'primary_processing_id', 'description', 'created_at'],
    lists: [
      {
        title: 'Payment methods',
        path: '/customers/:id/payment_methods',
        query: { limit: BRIEF },
        resource: 'payment_method',
        columns: ['description', 'account_holder', 'default_payment_method', 'created_at'],
        empty:
          'Saved cards and bank accounts would be here. No card is entered in the console: make a payment link.',
      },
      paymentsOf('customer_id'),
      {
        title: 'Invoices',
        path: '/invoices',
        query: { customer_id: ':id', order_by: '-created_at', limit: BRIEF },
        resource: 'invoice',
        columns: invoiceColumns,
        empty: 'Invoices would be here.',
      },
      {
        title: 'Billing schedules',
        path: '/billing_schedules',
        query: { customer_id: ':id', limit: BRIEF },
        resource: 'billing_schedule',
        columns: ['description', 'recurring_frequency', 'status', 'start_date', 'end_date'],
        empty: 'Schedules that bill the customer again and again would be here.',
      },
      linksOf('customer_id'),
    ],
  }),
  writes: [
    offeredWrite({
      at: ['customers', ':customer', 'link'],
      label: 'Payment link',
      does: { kind: 'create', resource: 'payment_link' },
      names: ['amount', 'description', 'type', 'processing_id', 'expires_at', 'email_customer'],
      sets: ({ customer = '' }) => ({ customer_id: customer }),
    }),
    offeredWrite({
      at: ['customers', ':customer', 'card-link'],
      label: 'Link to save a card',
      does: { kind: 'create', resource: 'payment_link' },
      names: ['description', 'processing_id', 'expires_at', 'email_customer'],
      sets: ({ customer = '' }) => ({ customer_id: customer, type: 'method' }),
      note: 'On its page the customer saves a card or bank account, which becomes the one that is charged.',
    }),
  ],
}
