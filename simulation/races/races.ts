import type { JsonObject } from '../../src/schema/json.js'
import { idOf, list, valuesOf } from '../../test/support/core.js'
import { card, legalEntity, owner, processingAccount } from '../../test/support/examples.js'
import type { Fleet } from './fleet.js'

/** Sends requests that compete for the same objects; returns the problems. */
export type Race = (fleet: Fleet, size: RaceSize) => Promise<string[]>

export interface RaceSize {
  /** Number of clients that send the same request at once. */
  readonly clients: number
  /** Unique name of the round. */
  readonly name: string
}

const paymentTo = (processing_id: string, more: JsonObject = {}): JsonObject => ({
  type: 'payment',
  amount: 10,
  processing_id,
  payment_method: card(),
  ...more,
})

/** Sends requests that exclude each other; exactly one must succeed. */
async function excluding(
  what: string,
  asking: readonly (() => ReturnType<Fleet['ask']>)[],
): Promise<string[]> {
  const answers = await Promise.all(asking.map((ask) => ask()))
  const done = answers.filter(({ status }) => status === 200).length
  return done === 1 ? [] : [`${what}: ${done} of ${answers.length} succeeded`]
}

function opposite<T>(items: readonly T[], client: number): readonly T[] {
  return client % 2 === 0 ? items : items.toReversed()
}

async function times<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(Array.from({ length: count }, (_, index) => make(index)))
}

async function expectAll(what: string, statuses: readonly number[]): Promise<string[]> {
  const other = statuses.filter((status) => status !== 200)
  return other.length === 0
    ? []
    : [`${what}: ${other.length} were answered ${[...new Set(other)].join(', ')}`]
}

function emailOf(name: string): string {
  return `${name.replace(/\W/g, '').toLowerCase()}@example.com`
}

async function customers(fleet: Fleet, count: number, name: string): Promise<string[]> {
  const values = Array.from({ length: count }, (_, index) => ({
    name: `${name} ${index}`,
    email: emailOf(name),
  }))
  return valuesOf(await fleet.ok('POST', '/customers', list(values))).map(idOf)
}

export const races: Readonly<Record<string, Race>> = {
  async 'a processing account is deleted while it is paid'(fleet) {
    const id = await fleet.make('/processing_accounts', processingAccount())
    return await excluding('deleted and paid', [
      () => fleet.ask('DELETE', `/processing_accounts/${id}`),
      () => fleet.ask('POST', '/transactions', paymentTo(id)),
    ])
  },

  async 'an organization is deleted while a customer joins'(fleet, { name }) {
    const id = await fleet.make('/orgs', { name, industry: 'books', org_type: 'company' })
    return await excluding('deleted and joined', [
      () => fleet.ask('POST', '/customers', { name, parent_org_id: id }),
      () => fleet.ask('DELETE', `/orgs/${id}`),
    ])
  },

  async 'a customer is deleted while a payment method is added'(fleet, { name }) {
    const id = await fleet.make('/customers', { name })
    const [, added] = await Promise.all([
      fleet.ok('DELETE', `/customers/${id}`),
      fleet.ask('POST', '/payment_methods', { ...card(), account_id: id }),
    ])
    if (added.status !== 200) return []
    const { status } = await fleet.ask('GET', `/payment_methods/${idOf(added.body)}`)
    return status === 404 ? [] : ['a payment method outlived its customer']
  },

  async 'an invoice is deleted while it is paid'(fleet, { name }) {
    const processing_id = await fleet.make('/processing_accounts', processingAccount())
    const customer_id = await fleet.make('/customers', { name, primary_processing_id: processing_id })
    const items = [{ entry_type: 'charge', amount: 10, description: 'A book' }]
    const invoice_id = await fleet.make('/invoices', { customer_id, processing_id, items })
    const allocations = [{ entry_type: 'payment', invoice_id, amount: 10 }]
    return await excluding('invoice deleted and paid', [
      () => fleet.ask('DELETE', `/invoices/${invoice_id}`),
      () => fleet.ask('POST', '/transactions', paymentTo(processing_id, { allocations })),
    ])
  },

  async 'many defaults are made at once'(fleet, { clients, name }) {
    const id = await fleet.make('/customers', { name })
    const made = await times(Math.min(clients, 16), () =>
      fleet.ask('POST', '/payment_methods', { ...card(), account_id: id, default_payment_method: true }),
    )
    const methods = valuesOf(await fleet.ok('GET', `/customers/${id}/payment_methods`))
    const defaults = methods.filter(({ default_payment_method: isDefault }) => isDefault === true).length
    const statuses = made.map(({ status }) => status)
    return [
      ...(await expectAll('defaults', statuses)),
      ...(defaults === 1 ? [] : [`an account has ${defaults} defaults`]),
    ]
  },

  async 'access is granted, and an address registered, many times'(fleet, { name }) {
    const org_id = await fleet.make('/orgs', { name, industry: 'books', org_type: 'company' })
    const account_id = await fleet.make('/processing_accounts', processingAccount())
    const email = emailOf(name)
    const redirect = { org_id, kind: 'redirect', uri: 'https://example.com/done' }
    const four = (path: string, body: JsonObject) =>
      Array.from({ length: 4 }, () => () => fleet.ask('POST', path, body))
    return [
      ...(await excluding('access', four('/account_access', { org_id, account_id }))),
      ...(await excluding(
        'users',
        four('/admin/oauth_users', { org_id, email, password: 'a long password' }),
      )),
      ...(await excluding('redirects', four('/admin/oauth_redirects', redirect))),
    ]
  },

  async 'the shares of owners are divided at once'(fleet) {
    const id = await fleet.make('/legal_entities', { ...legalEntity(), owners: [owner(40)] })
    return await excluding('owners', [
      () => fleet.ask('POST', `/legal_entities/${id}/owners`, owner(50)),
      () => fleet.ask('POST', `/legal_entities/${id}/owners`, owner(50)),
    ])
  },

  async 'lists change the same customers in opposite orders, beside a stranger'(fleet, { clients, name }) {
    const ids = await customers(fleet, 6, name)
    const processing = await fleet.make('/processing_accounts', processingAccount())
    const change = (client: number) =>
      fleet.ask(
        'PUT',
        '/customers',
        list(opposite(ids, client).map((id) => ({ id, description: `by ${client}` }))),
      )
    const byQuery = (client: number) =>
      fleet.ask('PUT', `/customers?mode=query&email=${emailOf(name)}`, { description: `query ${client}` })
    const [changed, queried, paid] = await Promise.all([
      times(clients, change),
      times(Math.ceil(clients / 8), byQuery),
      times(4, () => fleet.ask('POST', '/transactions', paymentTo(processing))),
    ])
    return await expectAll(
      'lists',
      [...changed, ...queried, ...paid].map(({ status }) => status),
    )
  },

  async 'lists delete the same customers in opposite orders'(fleet, { name }) {
    const ids = await customers(fleet, 6, name)
    const remove = (client: number) =>
      fleet.ask('DELETE', '/customers', list(opposite(ids, client).map((id) => ({ id }))))
    return await excluding(
      'deleted lists',
      [0, 1, 2, 3].map((client) => () => remove(client)),
    )
  },

  async 'lists make what belongs to the same in opposite orders'(fleet, { clients, name }) {
    const ids = await customers(fleet, 6, name)
    const processing_id = await fleet.make('/processing_accounts', processingAccount())
    const payments = valuesOf(
      await fleet.ok(
        'POST',
        '/transactions',
        list(ids.map((customer_id) => paymentTo(processing_id, { customer_id }))),
      ),
    ).map(idOf)
    const methods = (client: number) =>
      opposite(ids, client).map((account_id) => ({ ...card(), account_id, default_payment_method: true }))
    const refunds = (client: number) =>
      opposite(payments, client).map((assoc_transaction_id) => ({
        type: 'refund',
        amount: 0.01,
        ledger: [{ assoc_transaction_id }],
      }))
    const answers = await times(Math.ceil(clients / 2), (client) =>
      client % 4 < 2
        ? fleet.ask('POST', '/payment_methods', list(methods(client)))
        : fleet.ask('POST', '/transactions', list(refunds(client))),
    )
    return await expectAll(
      'made in lists',
      answers.map(({ status }) => status),
    )
  },

  async 'the default account is made by the first payments at once'(fleet) {
    const pays = () =>
      fleet.ask('POST', '/transactions', { type: 'payment', amount: 1, payment_method: card() })
    const answers = await times(8, pays)
    const filter = 'name=Default test account'
    const made = valuesOf(await fleet.ok('GET', `/processing_accounts?${encodeURI(filter)}`))
    return made.length < 2
      ? await expectAll(
          'first payments',
          answers.map(({ status }) => status),
        )
      : ['two default accounts']
  },
}
