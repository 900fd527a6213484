import { answeredText } from '../../../schema/answer-values.js'
import { gatewayFields, routeFields } from './gateway-fields.js'
import type { Offer } from './offer.js'

const isActive = ({ status }: { readonly status?: unknown }) => status === 'active'

/** Writes about API keys: the pages of `settings/keys`. */
const keyOffers: readonly Offer[] = [
  {
    at: ['settings', 'keys', 'new'],
    label: 'Make a key',
    icon: 'plus',
    does: { kind: 'create', resource: 'api_key' },
    names: ['description', 'manage', 'processing_ids', 'expires_at'],
    note: 'The key is shown once, on the next page. Whoever has it may do all that it may do.',
    confirms: true,
    once: 'secret_key',
  },
  {
    at: ['settings', 'keys', ':id', 'rotate'],
    label: 'Rotate the key',
    icon: 'key-round',
    does: { kind: 'action', resource: 'api_key', action: 'rotate' },
    names: ['overlap'],
    when: isActive,
    note: 'The new key is shown once, on the next page.',
    confirms: true,
    once: 'secret_key',
  },
  {
    at: ['settings', 'keys', ':id', 'change'],
    label: 'Change',
    icon: 'settings',
    does: { kind: 'update', resource: 'api_key' },
    names: ['description', 'expires_at'],
    when: isActive,
    confirms: true,
  },
  {
    at: ['settings', 'keys', ':id', 'revoke'],
    label: 'Revoke the key',
    icon: 'x',
    does: { kind: 'delete', resource: 'api_key' },
    when: isActive,
    note: 'Programs that use the key are refused at once. It stays listed.',
    confirms: true,
  },
]

const operatorNames = ['name', 'email', 'role', 'limit_each', 'limit_day', 'processing_ids']

/** Writes about operators and the browsers in which they are signed in: the pages of `settings/operators`. */
const operatorOffers: readonly Offer[] = [
  {
    at: ['settings', 'operators', 'new'],
    label: 'Add an operator',
    icon: 'plus',
    does: { kind: 'create', resource: 'operator' },
    names: operatorNames,
    note: 'They enter the console by a code, which you make on their page or by payctl console --as.',
    confirms: true,
  },
  {
    at: ['settings', 'operators', ':id', 'change'],
    label: 'Change',
    icon: 'settings',
    does: { kind: 'update', resource: 'operator' },
    names: operatorNames,
    confirms: true,
  },
  {
    at: ['settings', 'operators', ':id', 'disable'],
    label: 'Disable',
    icon: 'x',
    does: { kind: 'update', resource: 'operator' },
    sets: () => ({ status: 'disabled' }),
    when: isActive,
    note: 'They are signed out, and do nothing more: not here, not at the terminal, not by their tokens.',
    confirms: true,
  },
  {
    at: ['settings', 'operators', ':id', 'enable'],
    label: 'Enable',
    icon: 'check',
    does: { kind: 'update', resource: 'operator' },
    sets: () => ({ status: 'active' }),
    when: (operator) => !isActive(operator),
    confirms: true,
  },
  {
    at: ['settings', 'operators', ':id', 'entry'],
    label: 'Let them in',
    icon: 'log-out',
    does: { kind: 'operation', operation: 'create_console_entry', about: 'operator' },
    sets: (_ids, { email = null }) => ({ email }),
    when: isActive,
    note: 'Give them the address that follows: it opens the console once, within two minutes.',
    confirms: true,
    once: 'code',
    shownOnce: (code) => `/console/enter/${code}`,
  },
  {
    at: ['settings', 'operators', ':operator', 'token'],
    label: 'Make a token',
    icon: 'key-round',
    does: { kind: 'create', resource: 'api_key' },
    names: ['description', 'expires_at'],
    sets: ({ operator = '' }) => ({ operator_id: operator }),
    when: isActive,
    note: 'The key that follows does what the operator may: payctl profiles add takes it. It is shown once.',
    confirms: true,
    once: 'secret_key',
  },
  {
    at: ['settings', 'operators', ':operator', 'sessions', ':id', 'end'],
    below: 3,
    label: 'Sign out',
    icon: 'log-out',
    does: { kind: 'delete', resource: 'operator_session' },
    note: 'That browser has to sign in again.',
  },
]

/** Writes about gateways and routes: the pages of `settings/gateways`. */
const gatewayOffers: readonly Offer[] = [
  {
    at: ['settings', 'gateways', 'new'],
    label: 'Connect a gateway',
    icon: 'plus',
    does: { kind: 'create', resource: 'gateway' },
    names: ['kind', 'name', 'base_url', 'merchant', 'since', 'numbers', 'credentials'],
    refine: gatewayFields,
    confirms: true,
  },
  {
    at: ['settings', 'gateways', 'routes'],
    label: 'Change the routes',
    icon: 'arrow-left-right',
    does: { kind: 'operation', operation: 'set_gateway_routes' },
    names: ['default', 'card', 'bank_account', 'processing_id', 'merchant'],
    refine: routeFields,
    note: 'New payments go there at once. A route that is not set here stays as it is.',
    confirms: true,
  },
  {
    at: ['settings', 'gateways', ':id', 'test'],
    label: 'Test the gateway',
    icon: 'check',
    does: { kind: 'action', resource: 'gateway', action: 'test' },
  },
  {
    at: ['settings', 'gateways', ':id', 'endpoint'],
    label: 'Create the endpoint',
    icon: 'plus',
    does: { kind: 'action', resource: 'gateway', action: 'endpoint' },
    note: 'The gateway notifies this installation from then on. An earlier endpoint with the same address is replaced.',
    confirms: true,
  },
  {
    at: ['settings', 'gateways', ':id', 'settlements'],
    label: 'Read settlements now',
    icon: 'arrow-down',
    does: { kind: 'operation', operation: 'pull_settlements', about: 'gateway' },
    sets: (_, gateway) => ({ gateway: answeredText(gateway, 'name') ?? '' }),
  },
  {
    at: ['settings', 'gateways', ':id', 'pause'],
    label: 'Pause',
    icon: 'x',
    does: { kind: 'action', resource: 'gateway', action: 'pause' },
    when: isActive,
    confirms: true,
  },
  {
    at: ['settings', 'gateways', ':id', 'resume'],
    label: 'Resume',
    icon: 'check',
    does: { kind: 'action', resource: 'gateway', action: 'resume' },
    when: (gateway) => !isActive(gateway),
    confirms: true,
  },
  {
    at: ['settings', 'gateways', ':id', 'change'],
    label: 'Change',
    icon: 'settings',
    does: { kind: 'update', resource: 'gateway' },
    names: ['base_url', 'merchant', 'numbers', 'credentials'],
    refine: gatewayFields,
    confirms: true,
  },
  {
    at: ['settings', 'gateways', ':id', 'remove'],
    label: 'Remove',
    below: 2,
    icon: 'x',
    does: { kind: 'delete', resource: 'gateway' },
    note: 'Its endpoint at the gateway stays: payctl gateways remove removes that, too.',
    confirms: true,
  },
]

export const settingsOffers: readonly Offer[] = [
  ...keyOffers,
  ...operatorOffers,
  ...gatewayOffers,
  {
    at: ['settings', 'accounts', ':id', 'default'],
    label: 'Make it the default',
    icon: 'check',
    does: { kind: 'action', resource: 'processing_account', action: 'set_default' },
    fields: ['is_default'],
    when: ({ is_default: isDefault }) => isDefault !== true,
    confirms: true,
  },
]
