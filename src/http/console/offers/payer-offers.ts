import type { JsonObject } from '../../../schema/json.js'
import type { Offer } from './offer.js'

const isDue = ({ status }: JsonObject) => status !== 'paid'
const isCollected = ({ collect_on: day }: JsonObject) => typeof day === 'string'

/** Writes about payment links, and the invoices and customers that they are made for. */
const linkOffers: readonly Offer[] = [
  {
    at: ['links', 'new'],
    label: 'Make a link',
    icon: 'plus',
    does: { kind: 'create', resource: 'payment_link' },
    names: ['amount', 'description', 'type', 'processing_id', 'expires_at'],
  },
  {
    at: ['links', ':id', 'change'],
    label: 'Change',
    icon: 'settings',
    does: { kind: 'update', resource: 'payment_link' },
    names: ['amount', 'description', 'expires_at'],
    when: ({ status }) => status === 'active' || status === 'inactive',
  },
  {
    at: ['links', ':id', 'deactivate'],
    label: 'Deactivate',
    icon: 'x',
    does: { kind: 'update', resource: 'payment_link' },
    sets: () => ({ status: 'inactive' }),
    when: ({ status }) => status === 'active',
    note: 'Its page takes no payment until it is activated again.',
  },
  {
    at: ['links', ':id', 'activate'],
    label: 'Activate',
    icon: 'check',
    does: { kind: 'update', resource: 'payment_link' },
    sets: () => ({ status: 'active' }),
    when: ({ status }) => status === 'inactive',
  },
  {
    at: ['customers', ':customer', 'link'],
    label: 'Payment link',
    icon: 'link',
    does: { kind: 'create', resource: 'payment_link' },
    names: ['amount', 'description', 'type', 'processing_id', 'expires_at', 'email_customer'],
    sets: ({ customer = '' }) => ({ customer_id: customer }),
  },
  {
    at: ['customers', ':customer', 'card-link'],
    label: 'Link to save a card',
    icon: 'link',
    does: { kind: 'create', resource: 'payment_link' },
    names: ['description', 'processing_id', 'expires_at', 'email_customer'],
    sets: ({ customer = '' }) => ({ customer_id: customer, type: 'method' }),
    note: 'On its page the customer saves a card or bank account, which becomes the one that is charged.',
  },
  {
    at: ['invoices', ':invoice', 'link'],
    label: 'Payment link',
    icon: 'link',
    does: { kind: 'create', resource: 'payment_link' },
    names: ['expires_at', 'email_customer'],
    sets: ({ invoice = '' }) => ({ invoice_id: invoice }),
    when: isDue,
  },
]

/** Writes about the automatic payments of an invoice. */
const invoiceOffers: readonly Offer[] = [
  {
    at: ['invoices', ':id', 'collect'],
    label: 'Collect now',
    icon: 'arrow-down',
    does: { kind: 'action', resource: 'invoice', action: 'collect' },
    when: isDue,
  },
  {
    at: ['invoices', ':id', 'stop'],
    label: 'Stop collecting',
    icon: 'x',
    does: { kind: 'action', resource: 'invoice', action: 'stop_collecting' },
    fields: ['collect_on'],
    when: (invoice) => isDue(invoice) && isCollected(invoice),
  },
  {
    at: ['invoices', ':id', 'resume'],
    label: 'Resume collecting',
    icon: 'history',
    does: { kind: 'action', resource: 'invoice', action: 'resume_collecting' },
    fields: ['collect_on'],
    when: (invoice) =>
      isDue(invoice) && !isCollected(invoice) && typeof invoice['billing_schedule_id'] === 'string',
  },
]

/** Writes about webhooks and what they sent. */
const webhookOffers: readonly Offer[] = [
  {
    at: ['webhooks', 'new'],
    label: 'Add a webhook',
    icon: 'plus',
    does: { kind: 'create', resource: 'webhook' },
    names: ['trigger', 'url', 'description', 'processing_id'],
    note: 'The secret that signs its notifications is shown once, on the next page.',
    once: 'secret',
  },
  {
    at: ['webhooks', ':id', 'change'],
    label: 'Change',
    icon: 'settings',
    does: { kind: 'update', resource: 'webhook' },
    names: ['trigger', 'url', 'description'],
  },
  {
    at: ['webhooks', ':id', 'pause'],
    label: 'Pause',
    icon: 'x',
    does: { kind: 'update', resource: 'webhook' },
    sets: () => ({ status: 'disabled' }),
    when: ({ status }) => status === 'enabled',
    note: 'Events until it is resumed are not sent by themselves; they can be sent again later.',
  },
  {
    at: ['webhooks', ':id', 'resume'],
    label: 'Resume',
    icon: 'check',
    does: { kind: 'update', resource: 'webhook' },
    sets: () => ({ status: 'enabled' }),
    when: ({ status }) => status !== 'enabled',
  },
  {
    at: ['webhooks', ':id', 'rotate'],
    label: 'New signing secret',
    icon: 'key-round',
    does: { kind: 'action', resource: 'webhook', action: 'rotate_secret' },
    names: ['overlap'],
    note: 'The new secret is shown once, on the next page.',
    once: 'secret',
  },
  {
    at: ['webhooks', ':id', 'remove'],
    label: 'Remove',
    below: 2,
    icon: 'x',
    does: { kind: 'delete', resource: 'webhook' },
    note: 'No more events are sent there. What was sent is still listed among the events.',
  },
  {
    at: ['webhooks', ':id', 'logs', ':log', 'send'],
    below: 3,
    label: 'Send again',
    icon: 'arrow-up',
    does: { kind: 'operation', operation: 'replay_events' },
    sets: ({ log = '' }) => ({ log_id: log }),
  },
]

export const payerOffers: readonly Offer[] = [...linkOffers, ...invoiceOffers, ...webhookOffers]
