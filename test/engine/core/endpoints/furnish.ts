import { userInfo } from 'node:os'
import { systemClock } from '../../../../src/platform/clock.js'
import { resources } from '../../../../src/resources/resource-table.js'
import { datetimeOf } from '../../../../src/schema/datetime.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, objectOf, type TestCore } from '../../../support/core.js'
import { card, legalEntity, makeProcessing, pay } from '../../../support/examples.js'
import type { World } from './world.js'

/**
 * Adds objects that the examples lack: an object for each relation, and objects in the states that some
 * operations need. Returns the world with accounts that have received no money.
 */
export async function furnish(core: TestCore, world: World): Promise<World> {
  const processing = world.get('processing_account') ?? ''
  const customer = idOf(await core.ok('POST', '/customers', payer(processing)))
  const parties = { processing_id: processing, customer_id: customer }
  const { schedule, invoice } = await billed(core, parties)
  await paid(core, parties)
  await core.ok('POST', '/payment_links', {
    ...parties,
    amount: 5,
    attachments: [{ file: FILE }],
    notifications: [{ email: 'ada@example.com' }],
  })
  await core.ok('POST', '/payment_links', { invoice_id: invoice, processing_id: processing })
  const activation = idOf(await core.ok('POST', '/payment_activations', parties))
  const method = idOf(await core.ok('POST', '/payment_methods', { ...card(), account_id: customer }))
  await core.ok('PUT', `/payment_activations/${activation}`, { payment_method_id: method })
  await settledCustomer(core, processing)
  await heldPayment(core)
  await core.ok('POST', '/admin/batches', { id: 'customers.csv', as: 'customer', content: 'c0ffee', rows: 0 })
  // Changes these unique values, so that the examples can be created again.
  await core.ok('PUT', `/admin/oauth_users/${world.get('oauth_user')}`, { email: 'first@example.com' })
  await core.ok('PUT', `/admin/operators/${world.get('operator')}`, {
    email: 'grace@example.com',
    role: 'owner',
    limit_each: null,
    limit_day: null,
    login: userInfo().username,
    uid: userInfo().uid,
  })
  const org = { org_id: world.get('org') ?? null }
  await core.ok('DELETE', `/admin/oauth_redirects/${world.get('oauth_redirect')}`)
  await core.ok('POST', '/admin/oauth_redirects', { ...org, uri: 'https://other.example.com/done' })
  await core.ok('DELETE', `/admin/gateways/${world.get('gateway')}`)
  const gateway = await core.ok('POST', '/admin/gateways', OTHER_GATEWAY)
  const fresh = await makeProcessing(core, 'Nothing yet')
  return new Map([
    ...world,
    ['processing_account', fresh],
    ['billing_schedule', schedule],
    ['gateway', idOf(gateway)],
    ['operator_session', await addSession(core, world.get('operator') ?? '')],
  ])
}

async function addSession({ app }: TestCore, operator_id: string): Promise<string> {
  const { write } = (await app.environment('test')).core
  return await write(async (work) => {
    const row = { ...work.blank(resources.operator_session), operator_id }
    await work.insert(resources.operator_session, { ...row, proof: 'code' })
    return row.id
  })
}

const OTHER_GATEWAY = {
  name: 'other',
  kind: 'peer',
  base_url: 'https://127.0.0.1:1',
  credentials: { secret_key: 'test_secret_key_other' },
}
const FILE = 'data:text/plain;name=terms.txt;base64,SGVsbG8='

function payer(processing: string): JsonObject {
  const agreement = { type: 'recurring', terms: 'Monthly' }
  const method = { ...card(), default_payment_method: true, legal_entity: legalEntity() }
  return {
    name: 'Ada Park',
    primary_processing_id: processing,
    payment_methods: [{ ...method, processing_agreement: agreement }],
  }
}

const DAY = 86_400_000

/** Makes a billing schedule and an invoice of that schedule; returns their ids. */
async function billed(core: TestCore, parties: JsonObject): Promise<{ schedule: string; invoice: string }> {
  const monthly = { recurring_frequency: 'monthly', start_date: '2020-01-31' }
  const body = { ...parties, ...monthly, charges: [{ amount: 12, description: 'Books' }] }
  const schedule = idOf(await core.ok('POST', '/billing_schedules', body))
  // An invoice made by the schedule, for operations on automatic payments.
  const from = datetimeOf(systemClock.now() - 40 * DAY).slice(0, 10)
  await core.ok('POST', '/admin/billing/backfill', { billing_schedule_id: schedule, from })
  return { schedule, invoice: await invoiceOf(core, { ...parties, billing_schedule_id: schedule }) }
}

/** Makes a customer with objects of each possible kind, but without open invoices or operations. */
async function settledCustomer(core: TestCore, processing: string): Promise<void> {
  const customer = idOf(await core.ok('POST', '/customers', payer(processing)))
  const parties = { processing_id: processing, customer_id: customer }
  const invoice = await invoiceOf(core, parties)
  await core.ok('POST', '/line_items', { entry_type: 'payment', invoice_id: invoice, amount: 100 })
  await pay(core, processing, 10, { customer_id: customer })
  await core.ok('POST', '/billing_schedules', parties)
  await core.ok('POST', '/payment_links', { ...parties, amount: 5 })
  await core.ok('POST', '/payment_activations', parties)
}

async function invoiceOf(core: TestCore, body: JsonObject): Promise<string> {
  const items = [{ entry_type: 'charge', amount: 100, description: 'Books' }]
  return idOf(await core.ok('POST', '/invoices', { ...body, items }))
}

/**
 * Makes three payments of an invoice at a reader. Only the voided payment can be deleted. Only the
 * authorized payment does not pay the invoice yet.
 */
async function paid(core: TestCore, parties: JsonObject): Promise<void> {
  const { processing_id } = parties
  const invoice = await invoiceOf(core, parties)
  const reader = idOf(
    await core.ok('POST', '/readers', { name: 'Front desk', processing_id: processing_id ?? null }),
  )
  for (const status of ['processed', 'authorized', 'voided']) {
    const allocations = [{ entry_type: 'payment', invoice_id: invoice, amount: 10 }]
    const first: JsonObject = status === 'authorized' ? { status } : {}
    const body = { type: 'payment', amount: 10, reader_id: reader, allocations, ...parties, ...first }
    const payment = idOf(await core.ok('POST', '/transactions', body))
    if (status === 'voided') await core.ok('PUT', `/transactions/${payment}`, { status })
  }
}

/** Makes a payment that is held for a risk review. */
async function heldPayment(core: TestCore): Promise<void> {
  const careful = await makeProcessing(core, 'Careful Books')
  const account = await core.ok('GET', `/processing_accounts/${careful}`)
  const settings = idOf(objectOf(objectOf(account.processing).settings))
  await core.ok('PUT', `/processing_settings/${settings}`, { risk_check_enabled: true })
  const method = { ...card('4000 0000 0000 0002'), billing_address: { postal_code: '10001' } }
  // Eleven payments with the same number within an hour, shipped to another postal code.
  for (let count = 0; count <= 10; count++)
    await pay(core, careful, 1, { payment_method: method, shipping_details: { postal_code: '94105' } })
}
