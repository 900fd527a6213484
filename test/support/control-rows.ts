import type { App } from '../../src/app.js'
import type { Core } from '../../src/engine/core/core.js'
import { owner } from '../../src/engine/core/request/principal.js'
import type { Work } from '../../src/engine/core/write/work.js'
import { resources } from '../../src/resources/resource-table.js'
import type { JsonObject } from '../../src/schema/json.js'
import { idOf } from './core.js'
import { processingAccount } from './examples.js'

const PASSWORD = 'correct horse battery'
const REDIRECT = 'http://127.0.0.1/done'

/**
 * Makes rows in every table about permissions, about where money or events go, and about read positions. Rows
 * that follow from gateways are written as the service does; the others are made through the core.
 */
export async function makeControlRows(app: App): Promise<void> {
  const environment = await app.environment('test')
  const { core } = environment
  const org = idOf(await made(core, '/orgs', { name: 'Ledgerly', industry: 'books', org_type: 'business' }))
  const other = idOf(await made(core, '/orgs', { name: 'Corner', industry: 'books', org_type: 'business' }))
  const account = idOf(
    await made(core, '/processing_accounts', {
      ...processingAccount('Main Street'),
      parent_org_id: other,
    }),
  )
  const { legal_entity_id } = await sent(core, 'GET', `/processing_accounts/${account}`)
  await made(core, '/stakeholders', {
    legal_entity_id: legal_entity_id ?? null,
    full_name: 'Ada',
    role: 'director',
  })
  await made(core, '/payment_links', {
    amount: 5,
    processing_id: account,
    notifications: [{ email: 'ada@example.com' }, { phone_number: '4155550100' }],
  })
  await made(core, '/account_access', { org_id: org, account_id: account })
  for (const description of ['till', 'office'])
    await made(core, '/admin/keys', { description, processing_ids: [account] })
  for (const trigger of ['payment', 'processed'])
    await made(core, '/webhooks', { trigger, url: 'https://example.com/' })
  for (const uri of [REDIRECT, `${REDIRECT}/again`])
    await made(core, '/admin/oauth_redirects', { org_id: org, uri })
  for (const email of ['grace@example.com', 'ada@example.com'])
    await made(core, '/admin/oauth_users', { org_id: other, email, password: PASSWORD })
  for (const email of ['grace@example.com', 'ada@example.com'])
    await made(core, '/admin/operators', { name: 'Operator', email, role: 'viewer' })
  await grantAccess(app, org)
  await core.write((work) => openConsole(work))
  await core.write((work) => readGateways(work, account))
  await core.write((work) => handOutEvents(work))
  await core.write((work) => declineMail(work, account))
  await sent(core, 'PUT', '/admin/maintenance', { enabled: true, message: 'Back soon' })
}

/** Two grants with their tokens. */
async function grantAccess(app: App, org: string): Promise<void> {
  const { core, oauth } = await app.environment('test')
  const server = await oauth()
  const client = idOf(await made(core, '/access_tokens', { type: 'client', intent: { amount: 1 } }))
  const key = await made(core, '/admin/keys', { org_id: org })
  const attempt = { email: 'grace@example.com', password: PASSWORD, address: '192.0.2.1', knownBrowser: '' }
  const signedIn = await server.signIn(attempt)
  const who = await server.signedIn(signedIn?.session ?? '')
  const application = await server.application({
    client_key: client,
    org_id: org,
    scope: 'org',
    redirect_uri: REDIRECT,
  })
  if (application.kind !== 'application' || !who)
    throw new Error(`Not granted: ${JSON.stringify(application)}`)
  for (let n = 0; n < 2; n++) {
    const code = await server.grant(application, who, [])
    const tokens = await server.exchange(idOf(key), { clientId: org, code })
    if (tokens.kind !== 'tokens') throw new Error(`No tokens: ${JSON.stringify(tokens)}`)
  }
}

/** Two operators who are signed in to the console, each with a code that was used. */
async function openConsole(work: Work): Promise<void> {
  for (const { id: operator_id } of await work.findBy(resources.operator, 'status', 'active')) {
    await work.insert(resources.operator_session, {
      ...work.blank(resources.operator_session),
      operator_id,
      proof: 'code',
      secret_hash: operator_id,
    })
    const code = { operator_id, code_hash: operator_id, expires_at: 1, used_at: 1 }
    await work.tx.db
      .insertInto('operator_entries')
      .values({ id: `${operator_id} code`, ...code })
      .execute()
  }
  await work.tx.db
    .insertInto('operator_settings')
    .values({ id: 'operator_settings', require_mapping: 0, since: work.now })
    .execute()
}

/** Makes rows of gateway events and of gateway routes. */
async function readGateways(work: Work, account: string): Promise<void> {
  for (const name of ['up', 'down']) {
    const id = work.newId('gw_')
    await work.insert(resources.gateway, {
      ...work.blank(resources.gateway),
      id,
      name,
      kind: 'peer',
      base_url: 'https://pay.example.com',
      status: 'active',
      notifications_cursor: 'evt_1',
      settlements_cursor: 'po_1',
      settlements_due_at: work.now,
      settlements_compared_until: work.now,
    })
    const route = { id: `${name} card`, gateway_id: id, method: 'card', created_at: work.now }
    await work.tx.db
      .insertInto('gateway_routes')
      .values({ ...route, processing_id: account, merchant: null })
      .execute()
    await work.insert(resources.gateway_notification, {
      ...work.blank(resources.gateway_notification),
      gateway: name,
      event_id: `evt_${name}`,
      type: 'payment',
      about: 'nothing',
      status: 'handled',
      raw: '{}',
      handled_at: work.now,
    })
  }
  await work.tx.db
    .insertInto('catch_ups')
    .values({ id: 'catch_up', since: work.now, restored_at: work.now })
    .execute()
}

/** Two mail servers, two messages, and two readers who have unsubscribed. */
async function declineMail(work: Work, processing_id: string): Promise<void> {
  for (const host of ['smtp.example.com', 'mail.example.com']) {
    const server = { host, port: 587, security: 'starttls', from_address: 'billing@example.com' } as const
    await work.insert(resources.mail_server, { ...work.blank(resources.mail_server), ...server })
  }
  await work.tx.db
    .insertInto('mail_progress')
    .values({ id: 'mail', events_after: 'evt_', cards_of: '2026-11' })
    .execute()
  for (const email of ['ada@example.com', 'grace@example.com']) {
    const said = { kind: 'reminder', status: 'kept', key: `reminder ${email}`, email } as const
    await work.insert(resources.mail_message, {
      ...work.blank(resources.mail_message),
      ...said,
      processing_id,
    })
    await work.tx.db
      .insertInto('mail_refusals')
      .values({ id: `${processing_id} ${email}`, email, processing_id, created_at: work.now })
      .execute()
  }
}

/** Makes the row with the progress of assigned events, two deliveries, and a moved clock. */
async function handOutEvents({ tx: { db } }: Work): Promise<void> {
  const events = await db.selectFrom('events').select('id').orderBy('id').limit(2).execute()
  const webhooks = await db.selectFrom('webhooks').select('id').orderBy('id').execute()
  for (const [n, { id: event_id }] of events.entries()) {
    const webhook_id = webhooks[n]?.id ?? ''
    const settled = { waiting: null, due_at: null, lease: null, attempts: 1, outcome: 'delivered' } as const
    await db
      .insertInto('deliveries')
      .values({ id: `${event_id} ${webhook_id}`, event_id, webhook_id, ...settled })
      .execute()
  }
  const event_id = events[0]?.id ?? ''
  await db
    .insertInto('fan_out')
    .values({ id: 'fan_out', event_id, swept_id: event_id, swept_work: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  await db
    .insertInto('clock')
    .values({ id: 'clock', offset_milliseconds: 0, advancing_until: null })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

async function made(core: Core, path: string, body: JsonObject): Promise<JsonObject> {
  return await sent(core, 'POST', path, body)
}

async function sent(
  core: Core,
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const answer = await core.handle({ method, path, body, principal: owner })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}
