import type { JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { qrCodeHtml } from '../../html/qr-code-html.js'
import { cardHtml } from '../elements/facts.js'
import { icon } from '../elements/icons.js'
import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { offeredWrite } from '../offers/offered-write.js'
import { BRIEF, paymentsOf } from './related-lists.js'

export const linkPages: ResourcePages = {
  resource: 'payment_link',
  at: ['links'],
  list: {
    heading: 'Payment links',
    lead: 'Pages where somebody pays an amount or an invoice.',
    columns: ['description', 'amount', 'type', 'status', 'customer[name]', 'expires_at', 'created_at'],
    empty: {
      what: 'Pages where payers enter their cards would be here.',
      command: 'payctl payment-links create --amount 29.99 --description "A book"',
    },
  },
  object: recordPage({
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
  }),
  writes: [
    offeredWrite({
      at: ['links', 'new'],
      label: 'Make a link',
      does: { kind: 'create', resource: 'payment_link' },
      names: ['amount', 'description', 'type', 'processing_id', 'expires_at'],
    }),
    offeredWrite({
      at: ['links', ':id', 'change'],
      label: 'Change',
      does: { kind: 'update', resource: 'payment_link' },
      names: ['amount', 'description', 'expires_at'],
      when: ({ status }) => status === 'active' || status === 'inactive',
    }),
    offeredWrite({
      at: ['links', ':id', 'deactivate'],
      label: 'Deactivate',
      does: { kind: 'update', resource: 'payment_link' },
      sets: () => ({ status: 'inactive' }),
      when: ({ status }) => status === 'active',
      note: 'Its page takes no payment until it is activated again.',
    }),
    offeredWrite({
      at: ['links', ':id', 'activate'],
      label: 'Activate',
      does: { kind: 'update', resource: 'payment_link' },
      sets: () => ({ status: 'active' }),
      when: ({ status }) => status === 'inactive',
    }),
  ],
}

/** The address of a link's page, to hand to the payer, and its QR code. */
function addressOf({ id, url, status }: JsonObject): Html | undefined {
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
