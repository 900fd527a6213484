import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { qrCodeHtml } from '../../html/qr-code-html.js'
import type { ConsoleRequest } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { icon } from '../elements/icons.js'
import type { RecordPage, RelatedList } from './record.js'

/** Maximum number of objects in a list beside another object. */
const BRIEF = '20'

const invoiceColumns = ['number', 'description', 'status', 'due_date', 'total_due', 'amount_due']

const paymentsOf = (attribute: string): RelatedList => ({
  title: 'Payments',
  path: '/transactions',
  query: { [attribute]: ':id', order_by: '-created_at', limit: BRIEF },
  resource: 'transaction',
  columns: ['created_at', 'type', 'amount', 'status', 'payment_method[description]', 'description'],
  empty: 'Payments would be here.',
})

const linksOf = (attribute: string): RelatedList => ({
  title: 'Payment links',
  path: '/payment_links',
  query: { [attribute]: ':id', order_by: '-created_at', limit: BRIEF },
  resource: 'payment_link',
  columns: ['description', 'amount', 'type', 'status', 'expires_at'],
  empty: 'Payment links would be here.',
})

const customerRecord: RecordPage = {
  at: ['customers'],
  title: 'Customers',
  resource: 'customer',
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
}

const invoiceRecord: RecordPage = {
  at: ['invoices'],
  title: 'Invoices',
  resource: 'invoice',
  heading: 'number',
  sum: 'amount_due',
  names: [
    'customer',
    'due_date',
    'total_due',
    'total_paid',
    'description',
    'processing_id',
    'paid_timestamp',
    'billing_schedule_id',
    'collect_on',
    'created_at',
  ],
  fields: ['url'],
  extra: printablePage,
  lists: [
    {
      title: 'Lines',
      path: '/invoices/:id/items',
      query: { entry_type: 'charge', limit: '100' },
      resource: 'line_item',
      columns: ['description', 'incurred_date', 'qty', 'amount', 'total'],
      empty: 'What the customer owes for would be here.',
    },
    {
      title: 'Payments',
      path: '/invoices/:id/items',
      query: { entry_type: 'payment', limit: '100' },
      resource: 'line_item',
      columns: ['description', 'transaction_id', 'incurred_date', 'amount', 'total'],
      empty: 'Payments of the invoice would be here.',
    },
    linksOf('invoice_id'),
  ],
}

const scheduleRecord: RecordPage = {
  at: ['schedules'],
  title: 'Schedules',
  resource: 'billing_schedule',
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
}

const linkRecord: RecordPage = {
  at: ['links'],
  title: 'Payment links',
  resource: 'payment_link',
  heading: 'description',
  sum: 'amount',
  names: ['type', 'invoice_id', 'customer', 'processing_id', 'expires_at', 'locale', 'created_at'],
  lists: [
    paymentsOf('payment_link_id'),
    {
      title: 'Sent to',
      path: '/payment_links/:id/notifications',
      query: { limit: BRIEF },
      resource: 'link_notification',
      columns: ['created_at', 'email', 'phone_number', 'status', 'problem', 'sent_at'],
      empty: 'Each mail with the link would be here, and what became of it.',
    },
  ],
  extra: addressOf,
}

const webhookRecord: RecordPage = {
  at: ['webhooks'],
  title: 'Webhooks',
  resource: 'webhook',
  heading: 'url',
  names: ['trigger', 'description', 'processing_id', 'previous_secret_until', 'created_at'],
  lists: [
    {
      title: 'Attempts',
      path: '/webhooks/:id/logs',
      query: { limit: '50' },
      resource: 'webhook_log',
      columns: ['created_at', 'triggered_on[id]', 'triggered_on[value]', 'attempt', 'http_status', 'problem'],
      empty: 'Each attempt to deliver an event would be here, with the answer. payctl serve delivers.',
      rowOffer: ['logs', ':row', 'send'],
    },
  ],
}

/** The address of a link's page, to hand to the payer, and its QR code. */
async function addressOf(
  _request: ConsoleRequest,
  { id, url, status }: JsonObject,
): Promise<Html | undefined> {
  if (typeof url !== 'string') return undefined
  const state =
    status === 'active'
      ? 'Give this address to the payer, or have the code scanned.'
      : 'Its page takes no payment now.'
  const file = `${String(id)}.qrcode.svg`
  return cardHtml(
    'Address',
    html`<pre><code data-copy="">${url}</code></pre>
<p class="faint">${state} <a href="${pageAddress(url)}">Open the page</a></p>
${qrCodeHtml(url, 'QR code of the address')}
<p><a class="button quiet" href="${pageAddress(`/pay/${encodeURIComponent(file)}`)}" download="${file}">${icon('download')} Download the code</a></p>`,
  )
}

/** The page of an invoice that payers read, print and pay. */
async function printablePage(_request: ConsoleRequest, { url }: JsonObject): Promise<Html | undefined> {
  if (typeof url !== 'string') return undefined
  return cardHtml(
    'For the customer',
    html`<p><a class="button quiet" href="${pageAddress(url)}">${icon('printer')} Printable page</a></p>
<p class="faint">Anybody who has its address may read, print and pay the invoice.</p>`,
  )
}

export const payerRecords: readonly RecordPage[] = [
  customerRecord,
  invoiceRecord,
  scheduleRecord,
  linkRecord,
  webhookRecord,
]
