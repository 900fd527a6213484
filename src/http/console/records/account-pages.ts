import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { offeredWrite } from '../offers/offered-write.js'

export const accountPages: ResourcePages = {
  resource: 'processing_account',
  at: ['settings', 'accounts'],
  list: {
    heading: 'Processing accounts',
    lead: 'Accounts that payments go to, and the bank accounts of their deposits.',
    columns: ['name', 'status', 'currency', 'processing[industry]', 'created_at'],
    empty: {
      what: 'Accounts that payments go to would be here.',
      command: 'payctl processing-accounts create',
    },
  },
  object: recordPage({
    heading: 'name',
    names: [
      'is_default',
      'currency',
      'email',
      'phone_number',
      'description',
      'legal_entity_id',
      'created_at',
    ],
    lists: [
      {
        title: 'Bank account of payouts',
        path: '/payment_methods',
        query: { account_id: ':id', type: 'bank_account', limit: '20' },
        resource: 'payment_method',
        columns: [
          'description',
          'account_holder',
          'bank_account[routing_number]',
          'bank_account[account_number]',
          'default_payment_method',
        ],
        empty: 'The bank account that its deposits go to would be here: payctl payment-methods create.',
      },
    ],
  }),
  writes: [
    offeredWrite({
      at: ['settings', 'accounts', ':id', 'default'],
      label: 'Make it the default',
      does: { kind: 'action', resource: 'processing_account', action: 'set_default' },
      fields: ['is_default'],
      when: ({ is_default: isDefault }) => isDefault !== true,
      confirms: true,
    }),
  ],
}
