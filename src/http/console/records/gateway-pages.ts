import { answeredText, objectsIn } from '../../../schema/answer-values.js'
import { isObject, type JsonObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import type { ConsoleRequest } from '../console-page.js'
import { cardHtml } from '../elements/facts.js'
import { emptyHtml, tableHtml } from '../elements/list-html.js'
import { type Tick, ticksHtml } from '../elements/ticks.js'
import { fieldLabel, valueHtml } from '../elements/value.js'
import { inEnvironment } from '../lists/elsewhere-of.js'
import { namesIn, valueContextOf } from '../lists/value-context.js'
import { FIRST_PAYMENT } from '../money/first-payment-page.js'
import { recordPage } from '../objects/record-page.js'
import type { ResourcePages } from '../objects/resource-pages.js'
import { gatewayFields, routeFields } from '../offers/gateway-fields.js'
import { isActive } from '../offers/offer.js'
import { offeredWrite } from '../offers/offered-write.js'

export const gatewayPages: ResourcePages = {
  resource: 'gateway',
  at: ['settings', 'gateways'],
  list: {
    heading: 'Gateways',
    lead: 'Connections to processors, which really move the money, and the routes of new payments.',
    columns: ['name', 'kind', 'status', 'account', 'problem', 'checked_at', 'created_at'],
    empty: {
      what: 'Connections to processors would be here. Test has a simulator besides; live takes no payment without one.',
      command: 'payctl gateways add stripe --name main',
    },
    above: routesHtml,
  },
  object: recordPage({
    heading: 'name',
    names: [
      'kind',
      'base_url',
      'merchant',
      'numbers',
      'account',
      'checked_at',
      'problem',
      'circuit_opened_at',
      'since',
      'settlements_problem',
      'notifications_url',
      'notified_at',
      'created_at',
    ],
    fields: ['checks'],
    extra: gatewayChecks,
    actions: [{ path: [FIRST_PAYMENT], label: 'First payment', least: 'owner' }],
  }),
  writes: [
    offeredWrite({
      at: ['settings', 'gateways', 'new'],
      label: 'Connect a gateway',
      does: { kind: 'create', resource: 'gateway' },
      names: ['kind', 'name', 'base_url', 'merchant', 'since', 'numbers', 'credentials'],
      refine: gatewayFields,
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'gateways', 'routes'],
      label: 'Change the routes',
      does: { kind: 'operation', operation: 'set_gateway_routes' },
      names: ['default', 'card', 'bank_account', 'processing_id', 'merchant'],
      refine: routeFields,
      note: 'New payments go there at once. A route that is not set here stays as it is.',
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'test'],
      label: 'Test the gateway',
      does: { kind: 'action', resource: 'gateway', action: 'test' },
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'endpoint'],
      label: 'Create the endpoint',
      does: { kind: 'action', resource: 'gateway', action: 'endpoint' },
      note: 'The gateway notifies this installation from then on. An earlier endpoint with the same address is replaced.',
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'settlements'],
      label: 'Read settlements now',
      does: { kind: 'operation', operation: 'pull_settlements', about: 'gateway' },
      sets: (_, gateway) => ({ gateway: answeredText(gateway, 'name') ?? '' }),
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'pause'],
      label: 'Pause',
      does: { kind: 'action', resource: 'gateway', action: 'pause' },
      when: isActive,
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'resume'],
      label: 'Resume',
      does: { kind: 'action', resource: 'gateway', action: 'resume' },
      when: (gateway) => !isActive(gateway),
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'change'],
      label: 'Change',
      does: { kind: 'update', resource: 'gateway' },
      names: ['base_url', 'merchant', 'numbers', 'credentials'],
      refine: gatewayFields,
      confirms: true,
    }),
    offeredWrite({
      at: ['settings', 'gateways', ':id', 'remove'],
      label: 'Remove',
      below: 2,
      does: { kind: 'delete', resource: 'gateway' },
      note: 'Its endpoint at the gateway stays: payctl gateways remove removes that, too.',
      confirms: true,
    }),
  ],
}

/** The routes of new payments. */
async function routesHtml(request: ConsoleRequest): Promise<Html> {
  const { app, environment } = request.visitor
  const heading = html`<h2>Routes</h2>
`
  const operation = app.model.operations.find(({ name }) => name === 'read_gateway_routes')
  const answer = await request.ask('GET', '/admin/gateway_routes')
  const { routes } = answer.body
  const declared = operation?.output['routes']
  const fields = declared?.kind === 'rows' ? declared.fields : {}
  const rows = Array.isArray(routes) ? routes.filter(isObject) : []
  if (rows.length === 0)
    return html`${heading}${emptyHtml('No route leads to a gateway.', inEnvironment(environment, 'payctl gateways route --default main'))}`
  const names = ['gateway', 'method', 'processing_id', 'merchant', 'problem']
  const context = valueContextOf(request.visitor, await namesIn(request, ...rows))
  return html`${heading}${tableHtml({
    id: 'routes',
    caption: 'Where new payments go; the most particular route that fits counts',
    columns: names.map((name) => ({ label: fieldLabel(name) })),
    rows: rows.map((row) => names.map((name) => valueHtml(row[name], fields[name], context) ?? EVERY[name])),
  })}<h2>Connections</h2>
`
}

/** Words for the parts that a route leaves open. */
const EVERY: Readonly<Record<string, string>> = { method: 'all methods', processing_id: 'all accounts' }

/** Card with the results of the last test of a gateway, one tick for each check. */
function gatewayChecks(gateway: JsonObject): Html {
  const ticks = objectsIn(gateway, 'checks').map(
    (check): Tick => ({
      state: stateOf(answeredText(check, 'state')),
      name: answeredText(check, 'name') ?? '',
      found: answeredText(check, 'found') ?? '',
    }),
  )
  return cardHtml(
    'What the last test has found',
    ticks.length === 0
      ? html`<p class="faint">It was not tested yet. A test looks up what live payments need; no money moves.</p>`
      : ticksHtml(ticks),
  )
}

function stateOf(text: string | undefined): Tick['state'] {
  return text === 'ok' || text === 'unavailable' ? text : 'failed'
}
