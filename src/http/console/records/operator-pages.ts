import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { isActive } from '../offers/offer.js'
import { offeredWrite } from '../offers/offered-write.js'

const operatorNames = ['name', 'email', 'role', 'limit_each', 'limit_day', 'processing_ids']

export const operatorPages: ResourcePages = {
  resource: 'operator',
  at: ['settings', 'operators'],
  list: {
    heading: 'Operators',
    lead: 'People who work with this environment, and what they may do.',
    columns: ['name', 'email', 'role', 'status', 'limit_each', 'limit_day', 'has_second_factor'],
    empty: {
      what: 'People who work here would be here.',
      command: 'payctl operators add --name "Ada Park" --email ada@example.com --role cashier',
    },
  },
  object: recordPage({
    heading: 'name',
    names: [
      'email',
      'role',
      'limit_each',
      'limit_day',
      'processing_ids',
      'login',
      'has_password',
      'has_second_factor',
      'created_at',
    ],
    lists: [
      {
        title: 'Signed in',
        path: '/admin/operator_sessions',
        query: { operator_id: ':id', order_by: '-created_at', limit: '50' },
        resource: 'operator_session',
        columns: ['browser', 'address', 'proof', 'created_at', 'seen_at', 'expires_at'],
        empty: 'Browsers in which the operator is signed in to the console would be here.',
        rowWrite: ['sessions', ':row', 'end'],
      },
    ],
  }),
  writes: [
    offeredWrite({
      at: ['settings', 'operators', 'new'],
      label: 'Add an operator',
      does: { kind: 'create', resource: 'operator' },
      names: operatorNames,
      note: 'They enter the console by a code, which you make on their page or by payctl console --as.',
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'operators', ':id', 'change'],
      label: 'Change',
      does: { kind: 'update', resource: 'operator' },
      names: operatorNames,
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'operators', ':id', 'disable'],
      label: 'Disable',
      does: { kind: 'update', resource: 'operator' },
      sets: () => ({ status: 'disabled' }),
      when: isActive,
      note: 'They are signed out, and do nothing more: not here, not at the terminal, not by their tokens.',
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'operators', ':id', 'enable'],
      label: 'Enable',
      does: { kind: 'update', resource: 'operator' },
      sets: () => ({ status: 'active' }),
      when: (operator) => !isActive(operator),
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'operators', ':id', 'entry'],
      label: 'Let them in',
      does: { kind: 'operation', operation: 'create_console_entry', about: 'operator' },
      sets: (_ids, { email = null }) => ({ email }),
      when: isActive,
      note: 'Give them the address that follows: it opens the console once, within two minutes.',
      confirms: true,
      once: 'code',
      shownOnce: (code) => `/console/enter/${code}`,
    }),
    offeredWrite({
      at: ['settings', 'operators', ':operator', 'token'],
      label: 'Make a token',
      does: { kind: 'create', resource: 'api_key' },
      names: ['description', 'expires_at'],
      sets: ({ operator = '' }) => ({ operator_id: operator }),
      when: isActive,
      note: 'The key that follows does what the operator may: payctl profiles add takes it. It is shown once.',
      confirms: true,
      once: 'secret_key',
    }),
    offeredWrite({
      at: ['settings', 'operators', ':operator', 'sessions', ':id', 'end'],
      below: 3,
      label: 'Sign out',
      does: { kind: 'delete', resource: 'operator_session' },
      note: 'That browser has to sign in again.',
    }),
  ],
}
