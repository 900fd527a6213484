import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { offeredWrite } from '../offers/offered-write.js'

export const webhookPages: ResourcePages = {
  resource: 'webhook',
  at: ['webhooks'],
  list: {
    heading: 'Webhooks',
    lead: 'Addresses that are notified of events.',
    columns: ['url', 'trigger', 'status', 'processing_id', 'created_at'],
    empty: {
      what: 'Addresses that are notified of events would be here.',
      command: 'payctl webhooks create --trigger payment --url https://shop.example.com/hooks',
    },
  },
  object: recordPage({
    heading: 'url',
    names: ['trigger', 'description', 'processing_id', 'previous_secret_until', 'created_at'],
    lists: [
      {
        title: 'Attempts',
        path: '/webhooks/:id/logs',
        query: { limit: '50' },
        resource: 'webhook_log',
        columns: [
          'created_at',
          'triggered_on[id]',
          'triggered_on[value]',
          'attempt',
          'http_status',
          'problem',
        ],
        empty: 'Each attempt to deliver an event would be here, with the answer. payctl serve delivers.',
        rowWrite: ['logs', ':row', 'send'],
      },
    ],
  }),
  writes: [
    offeredWrite({
      at: ['webhooks', 'new'],
      label: 'Add a webhook',
      does: { kind: 'create', resource: 'webhook' },
      names: ['trigger', 'url', 'description', 'processing_id'],
      note: 'The secret that signs its notifications is shown once, on the next page.',
      once: 'secret',
    }),
    offeredWrite({
      at: ['webhooks', ':id', 'change'],
      label: 'Change',
      does: { kind: 'update', resource: 'webhook' },
      names: ['trigger', 'url', 'description'],
    }),
    offeredWrite({
      at: ['webhooks', ':id', 'pause'],
      label: 'Pause',
      does: { kind: 'update', resource: 'webhook' },
      sets: () => ({ status: 'disabled' }),
      when: ({ status }) => status === 'enabled',
      note: 'Events until it is resumed are not sent by themselves; they can be sent again later.',
    }),
    offeredWrite({
      at: ['webhooks', ':id', 'resume'],
      label: 'Resume',
      does: { kind: 'update', resource: 'webhook' },
      sets: () => ({ status: 'enabled' }),
      when: ({ status }) => status !== 'enabled',
    }),
    offeredWrite({
      at: ['webhooks', ':id', 'rotate'],
      label: 'New signing secret',
      does: { kind: 'action', resource: 'webhook', action: 'rotate_secret' },
      names: ['overlap'],
      note: 'The new secret is shown once, on the next page.',
      once: 'secret',
    }),
    offeredWrite({
      at: ['webhooks', ':id', 'remove'],
      label: 'Remove',
      below: 2,
      does: { kind: 'delete', resource: 'webhook' },
      note: 'No more events are sent there. What was sent is still listed among the events.',
    }),
    offeredWrite({
      at: ['webhooks', ':id', 'logs', ':log', 'send'],
      below: 3,
      label: 'Send again',
      does: { kind: 'operation', operation: 'replay_events' },
      sets: ({ log = '' }) => ({ log_id: log }),
    }),
  ],
}
