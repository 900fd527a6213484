import type { ResourceModel } from '../../../model/resource-model.js'
import { isObject } from '../../../schema/json.js'
import { type Html, html } from '../../html/html.js'
import { pageAddress } from '../../html/page-address.js'
import { type ConsolePage, type ConsoleRequest, consoleAddress } from '../console-page.js'
import { actionLink, emptyHtml, tableHtml } from '../elements/list-html.js'
import { fieldLabel, valueHtml } from '../elements/value.js'
import { inEnvironment } from '../lists/elsewhere-of.js'
import { listPage } from '../lists/list-page.js'
import { namesIn } from '../lists/names-in.js'
import { valueContextOf } from '../lists/value-context.js'
import { offersBelow } from '../offers/offers.js'
import { offerLinks } from './offer-links.js'

/** The page of a list that offers writes, as plain data. */
interface RecordList {
  /** Segments below the environment. */
  readonly at: readonly string[]
  /** Name of the resource. */
  readonly resource: string
  readonly heading: string
  readonly lead: string
  /** Attributes that are shown; those of the declaration unless given. */
  readonly columns?: readonly string[]
  readonly empty: { readonly what: string; readonly command?: string }
  /** Links to related pages. */
  readonly links?: readonly { readonly label: string; readonly path: readonly string[] }[]
  /** The part between the heading and the table. */
  readonly above?: (request: ConsoleRequest) => Promise<Html | undefined>
}

const LISTS: readonly RecordList[] = [
  {
    at: ['transactions'],
    resource: 'transaction',
    heading: 'Transactions',
    lead: 'All that moved money, or was to move it: payments, refunds, deposits, disputes.',
    columns: [
      'created_at',
      'type',
      'amount',
      'status',
      'funding_status',
      'customer[name]',
      'payment_method[description]',
      'description',
    ],
    empty: {
      what: 'Payments, refunds, deposits and disputes would be here. A payment link takes the first one.',
      command: 'payctl payment-links create --amount 29.99 --description "A book"',
    },
  },
  {
    at: ['customers'],
    resource: 'customer',
    heading: 'Customers',
    lead: 'People and companies that pay, with their saved cards and bank accounts.',
    columns: ['name', 'email', 'phone_number', 'primary_processing_id', 'created_at'],
    empty: {
      what: 'People and companies that pay would be here.',
      command: 'payctl customers create --name "Ada Park" --email ada@example.com',
    },
  },
  {
    at: ['invoices'],
    resource: 'invoice',
    heading: 'Invoices',
    lead: 'What customers owe, and what of it is paid.',
    columns: ['number', 'description', 'customer[name]', 'status', 'due_date', 'total_due', 'amount_due'],
    empty: {
      what: 'What customers owe would be here.',
      command: 'payctl invoices create --help',
    },
    links: [{ label: 'Who owes, by age', path: ['reports', 'aging'] }],
  },
  {
    at: ['schedules'],
    resource: 'billing_schedule',
    heading: 'Billing schedules',
    lead: 'Each bills a customer again and again.',
    columns: ['description', 'customer[name]', 'recurring_frequency', 'status', 'start_date', 'end_date'],
    empty: {
      what: 'Schedules that make an invoice every week, month or year would be here.',
      command: 'payctl billing-schedules create --help',
    },
  },
  {
    at: ['links'],
    resource: 'payment_link',
    heading: 'Payment links',
    lead: 'Pages where somebody pays an amount or an invoice.',
    columns: ['description', 'amount', 'type', 'status', 'customer[name]', 'expires_at', 'created_at'],
    empty: {
      what: 'Pages where payers enter their cards would be here.',
      command: 'payctl payment-links create --amount 29.99 --description "A book"',
    },
  },
  {
    at: ['webhooks'],
    resource: 'webhook',
    heading: 'Webhooks',
    lead: 'Addresses that are notified of events.',
    columns: ['url', 'trigger', 'status', 'processing_id', 'created_at'],
    empty: {
      what: 'Addresses that are notified of events would be here.',
      command: 'payctl webhooks create --trigger payment --url https://shop.example.com/hooks',
    },
  },
  {
    at: ['settings', 'keys'],
    resource: 'api_key',
    heading: 'API keys',
    lead: 'Secrets that programs authenticate with, in this environment only.',
    columns: ['description', 'hint', 'status', 'manage', 'processing_ids', 'expires_at', 'created_at'],
    empty: {
      what: 'Keys of programs would be here.',
      command: 'payctl keys create --description "The shop"',
    },
  },
  {
    at: ['settings', 'gateways'],
    resource: 'gateway',
    heading: 'Gateways',
    lead: 'Connections to processors, which really move the money, and the routes of new payments.',
    columns: ['name', 'kind', 'status', 'account', 'problem', 'checked_at', 'created_at'],
    empty: {
      what: 'Connections to processors would be here. Test has a simulator besides; live takes no payment without one.',
      command: 'payctl gateways add stripe --name main',
    },
    above: routesHtml,
  },
  {
    at: ['settings', 'operators'],
    resource: 'operator',
    heading: 'Operators',
    lead: 'People who work with this environment, and what they may do.',
    columns: ['name', 'email', 'role', 'status', 'limit_each', 'limit_day', 'has_second_factor'],
    empty: {
      what: 'People who work here would be here.',
      command: 'payctl operators add --name "Ada Park" --email ada@example.com --role cashier',
    },
  },
  {
    at: ['settings', 'accounts'],
    resource: 'processing_account',
    heading: 'Processing accounts',
    lead: 'Accounts that payments go to, and the bank accounts of their deposits.',
    columns: ['name', 'status', 'currency', 'processing[industry]', 'created_at'],
    empty: {
      what: 'Accounts that payments go to would be here.',
      command: 'payctl processing-accounts create',
    },
  },
]

/** The pages of lists that offer writes. */
export const recordLists: readonly ConsolePage[] = LISTS.map((list) => ({
  matches: (path) =>
    path.length === list.at.length && list.at.every((segment, index) => segment === path[index]),
  async get(request) {
    const above = await list.above?.(request)
    return await listPage(request, {
      resource: request.visitor.app.model.get(list.resource),
      heading: list.heading,
      lead: list.lead,
      ...(list.columns && { columns: list.columns }),
      empty: list.empty,
      actions: [
        ...(list.links ?? []).map(({ label, path }) =>
          actionLink(pageAddress(consoleAddress(request.visitor.environment, path)), label),
        ),
        ...offerLinks(request, offersBelow(request.path)),
      ],
      pathOf: (row) => [...list.at, String(row['id'])],
      ...(above && { above }),
    })
  },
}))

/** Attributes that lists of a resource show. */
export function listColumns({ name, columns }: Pick<ResourceModel, 'name' | 'columns'>): readonly string[] {
  return LISTS.find(({ resource }) => resource === name)?.columns ?? columns
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
