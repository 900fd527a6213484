import { resources } from '../../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { createExample } from '../../../../src/schema/openapi/examples.js'
import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import { registry } from '../../../support/contract/document.js'
import { idOf, type TestCore, valuesOf } from '../../../support/core.js'

/**
 * One object of every resource, by resource name; clients' objects are made from the examples of the
 * reference.
 */
export type World = ReadonlyMap<string, string>

/** Makes one object of every resource. Throws when an example of the reference is refused. */
export async function makeWorld(core: TestCore): Promise<World> {
  const world = new Map<string, string>()
  const waiting = registry.all.filter(({ refuses }) => refuses?.POST === undefined)
  for (let next = firstReady(waiting, world); next; next = firstReady(waiting, world)) {
    waiting.splice(waiting.indexOf(next), 1)
    world.set(next.name, idOf(await core.ok('POST', `/${next.plural}`, exampleOf(next, world))))
  }
  if (waiting.length > 0)
    throw new Error(`No example can be made of ${waiting.map(({ name }) => name).join()}`)
  await addLedgerEntry(core, world)
  await addWebhookLog(core, world)
  await addGrant(core, world)
  await addException(core, world)
  await addDispute(core, world)
  await addNotification(core, world)
  await addSettlement(core, world)
  await addMessage(core, world)
  for (const line of valuesOf(await core.ok('GET', '/admin/activity'))) world.set('activity', idOf(line))
  return world
}

/** The reference's example of a resource, with references to objects of this world. */
export function exampleOf(resource: Resource, world: World, given: readonly string[] = []): JsonObject {
  const body: JsonObject = JSON.parse(JSON.stringify(createExample(registry, resource, given)))
  for (const name of namesIn(resource, body)) {
    const id = world.get(targetOf(resource, name)) ?? null
    body[name] = typeof body[name] === 'string' ? id : { id }
  }
  return body
}

/** The first resource whose example refers only to existing objects. Payments need an account first. */
function firstReady(waiting: readonly Resource[], world: World): Resource | undefined {
  const first = world.has('processing_account') ? undefined : registry.get('processing_account')
  return (
    first ??
    waiting.find((resource) =>
      namesIn(resource, createExample(registry, resource)).every((name) =>
        world.has(targetOf(resource, name)),
      ),
    )
  )
}

/** Attributes of an example that refer to objects. */
function namesIn(resource: Resource, body: object): string[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const kind = attributesOf(resource)[name]?.kind
    const isNamed = kind === 'one' && Object.keys(Object(value)).join() === 'id'
    return kind === 'ref' || isNamed ? [name] : []
  })
}

function targetOf(resource: Resource, name: string): string {
  const field = attributesOf(resource)[name]
  return field?.kind === 'ref' || field?.kind === 'one' ? field.to : ''
}

async function addLedgerEntry(core: TestCore, world: Map<string, string>): Promise<void> {
  const ledger = [{ assoc_transaction_id: world.get('transaction') ?? null }]
  await core.ok('POST', '/transactions', { type: 'refund', amount: 1, ledger })
  const path = `/transactions/${world.get('transaction')}/ledger`
  for (const entry of valuesOf(await core.ok('GET', path))) world.set('transaction_ledger', idOf(entry))
}

async function addWebhookLog({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const id = await write(async (work) => {
    const row = { ...work.blank(resources.webhook_log), webhook_id: world.get('webhook') ?? null }
    await work.insert(resources.webhook_log, {
      ...row,
      trigger: 'payment',
      url: 'https://example.com',
      http_status: 200,
    })
    return row.id
  })
  world.set('webhook_log', id)
}

async function addGrant({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const id = await write(async (work) => {
    const row = {
      ...work.blank(resources.oauth_grant),
      client_id: world.get('org') ?? null,
      scope: 'org',
    } as const
    await work.insert(resources.oauth_grant, { ...row, org_id: row.client_id, status: 'active' })
    return row.id
  })
  world.set('oauth_grant', id)
}

async function addException({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const id = await write(async (work) => {
    const row = { ...work.blank(resources.exception), transaction_id: world.get('transaction') ?? null }
    const said = { kind: 'amount_differs', status: 'open', amount: 100, about: 'an example' } as const
    await work.insert(resources.exception, { ...row, ...said, gateway: 'up', resolutions: '["ignore"]' })
    return row.id
  })
  world.set('exception', id)
}

async function addDispute({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const id = await write(async (work) => {
    const payment = await work.find(resources.transaction, world.get('transaction') ?? '')
    const { id: transaction_id = null, gateway = null, processing_id = null } = payment ?? {}
    const row = { ...work.blank(resources.dispute), stage: 'needs_response', amount: 100 } as const
    await work.insert(resources.dispute, {
      ...row,
      transaction_id,
      gateway,
      processing_id,
      reference: 'dp_1',
    })
    return row.id
  })
  world.set('dispute', id)
}

async function addSettlement({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const ids = await write(async (work) => {
    const settlement = { ...work.blank(resources.settlement), gateway: 'up', gateway_id: 'po_1', net: 100 }
    await work.insert(resources.settlement, { ...settlement, status: 'complete', line_count: 1 })
    const line = {
      ...work.blank(resources.settlement_line),
      settlement_id: settlement.id,
      gateway: 'up',
      amount: 100,
    }
    const said = { line_id: 'li_1', kind: 'other', status: 'unmatched', booked: 'nothing' } as const
    await work.insert(resources.settlement_line, { ...line, ...said })
    return [settlement.id, line.id]
  })
  world.set('settlement', ids[0] ?? '')
  world.set('settlement_line', ids[1] ?? '')
}

async function addNotification({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const id = await write(async (work) => {
    const row = {
      ...work.blank(resources.gateway_notification),
      status: 'handled',
      about: 'nothing',
    } as const
    await work.insert(resources.gateway_notification, {
      ...row,
      gateway: 'up',
      event_id: 'evt_1',
      type: 'ping',
      raw: '{}',
    })
    return row.id
  })
  world.set('gateway_notification', id)
}

async function addMessage({ app }: TestCore, world: Map<string, string>): Promise<void> {
  const { write } = (await app.environment('test')).core
  const id = await write(async (work) => {
    const row = { ...work.blank(resources.mail_message), about_id: world.get('receipt') ?? null }
    const said = { kind: 'receipt', status: 'failed', key: 'an example', attempts: 10 } as const
    await work.insert(resources.mail_message, { ...row, ...said, email: 'ada@example.com' })
    return row.id
  })
  world.set('mail_message', id)
}
