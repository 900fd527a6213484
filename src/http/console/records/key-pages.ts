import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { isActive } from '../offers/offer.js'
import { offeredWrite } from '../offers/offered-write.js'

export const keyPages: ResourcePages = {
  resource: 'api_key',
  at: ['settings', 'keys'],
  list: {
    heading: 'API keys',
    lead: 'Secrets that programs authenticate with, in this environment only.',
    columns: ['description', 'hint', 'status', 'manage', 'processing_ids', 'expires_at', 'created_at'],
    empty: {
      what: 'Keys of programs would be here.',
      command: 'payctl keys create --description "The shop"',
    },
  },
  object: recordPage({
    heading: 'description',
    names: [
      'hint',
      'manage',
      'processing_ids',
      'grants',
      'operator_id',
      'org_id',
      'expires_at',
      'rotated_from_id',
      'created_at',
    ],
  }),
  writes: [
    offeredWrite({
      at: ['settings', 'keys', 'new'],
      label: 'Make a key',
      does: { kind: 'create', resource: 'api_key' },
      names: ['description', 'manage', 'processing_ids', 'expires_at'],
      note: 'The key is shown once, on the next page. Whoever has it may do all that it may do.',
      confirms: true,
      once: 'secret_key',
    }),
    offeredWrite({
      at: ['settings', 'keys', ':id', 'rotate'],
      label: 'Rotate the key',
      does: { kind: 'action', resource: 'api_key', action: 'rotate' },
      names: ['overlap'],
      when: isActive,
      note: 'The new key is shown once, on the next page.',
      confirms: true,
      once: 'secret_key',
    }),
    offeredWrite({
      at: ['settings', 'keys', ':id', 'change'],
      label: 'Change',
      does: { kind: 'update', resource: 'api_key' },
      names: ['description', 'expires_at'],
      when: isActive,
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'keys', ':id', 'revoke'],
      label: 'Revoke the key',
      does: { kind: 'delete', resource: 'api_key' },
      when: isActive,
      note: 'Programs that use the key are refused at once. It stays listed.',
      confirms: true,
    }),
  ],
}
