import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { cardHtml } from '../elements/facts.js'
import { icon } from '../elements/icons.js'
import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { offeredWrite } from '../offers/offered-write.js'
import { linksOf } from './related-lists.js'

const isDue = ({ status }: JsonObject) => status !== 'paid'
const isCollected = ({ collect_on: day }: JsonObject) => typeof day === 'string'

export const invoicePages: ResourcePages = {
  resource: 'invoice',
  at: ['invoices'],
  list: {
    heading: 'Invoices',
    lead: 'What customers owe, and what of it is paid.',
    columns: ['number', 'description', 'customer[name]', 'status', 'due_date', 'total_due', 'amount_due'],
    empty: {
      what: 'What customers owe would be here.',
      command: 'payctl invoices create --help',
    },
    links: [{ label: 'Who owes, by age', path: ['reports', 'aging'] }],
  },
  object: recordPage({
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
  }),
  writes: [
    offeredWrite({
      at: ['invoices', ':invoice', 'link'],
      label: 'Payment link',
      does: { kind: 'create', resource: 'payment_link' },
      names: ['expires_at', 'email_customer'],
      sets: ({ invoice = '' }) => ({ invoice_id: invoice }),
      when: isDue,
    }),
    offeredWrite({
      at: ['invoices', ':id', 'collect'],
      label: 'Collect now',
      does: { kind: 'action', resource: 'invoice', action: 'collect' },
      when: isDue,
    }),
    offeredWrite({
      at: ['invoices', ':id', 'stop'],
      label: 'Stop collecting',
      does: { kind: 'action', resource: 'invoice', action: 'stop_collecting' },
      fields: ['collect_on'],
      when: (invoice) => isDue(invoice) && isCollected(invoice),
    }),
    offeredWrite({
      at: ['invoices', ':id', 'resume'],
      label: 'Resume collecting',
      does: { kind: 'action', resource: 'invoice', action: 'resume_collecting' },
      fields: ['collect_on'],
      when: (invoice) =>
        isDue(invoice) && !isCollected(invoice) && typeof invoice['billing_schedule_id'] === 'string',
    }),
  ],
}

/** The page of an invoice that payers read, print and pay. */
function printablePage({ url }: JsonObject): Html | undefined {
  if (typeof url !== 'string') return undefined
  return cardHtml(
    'For the customer',
    html`<p><a class="button quiet" href="${pageAddress(url)}">${icon('printer')} Printable page</a></p>
<p class="faint">Anybody who has its address may read, print and pay the invoice.</p>`,
  )
}
