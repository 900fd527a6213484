import type { Principal } from '../../../src/engine/core/request/principal.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { ManyField, OneField } from '../../../src/schema/field.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { attributesOf, type Resource } from '../../../src/schema/resource.js'
import { idOf, objectOf, type TestCore, valuesOf } from '../../support/core.js'
import { bankAccount, card, makeProcessing, pay } from '../../support/examples.js'
import { contents, dataUrl } from '../../support/files.js'

/** Every resource that keys without `manage` can reach. */
export const reachable: readonly Resource[] = Object.values<Resource>(resources).filter(({ admin }) => !admin)

/** The name of a resource in a table of cases, as in `/accounts`. */
export function pathOf({ plural }: Resource): string {
  return `/${plural}`
}

/** A merchant with all its objects. */
export interface Merchant {
  readonly processing: string
  readonly customer: string
  /** Id of the customer's stored card. */
  readonly method: string
  /** Id of the customer's payment, which is refunded in part. */
  readonly payment: string
  readonly refund: string
  /** Ids of all its objects, by path. */
  readonly ids: ReadonlyMap<string, readonly string[]>
  /** A key narrowed to the merchant. */
  readonly key: Principal
}

/** Makes a merchant with at least one object of every resource. */
export async function makeMerchant(core: TestCore): Promise<Merchant> {
  const before = new Set([...(await everything(core)).values()].flat())
  const processing = await makeProcessing(core)
  const made = await core.ok('POST', '/customers', {
    name: 'Ada Park',
    primary_processing_id: processing,
    payment_methods: [
      { ...card(), default_payment_method: true, processing_agreement: { type: 'recurring' } },
      bankAccount(),
    ],
  })
  const customer = idOf(made)
  const payment = idOf(
    await core.ok('POST', '/transactions', { type: 'payment', amount: 20, customer_id: customer }),
  )
  const reader = await core.ok('POST', '/readers', { name: 'Front desk', processing_id: processing })
  const disputed = await pay(core, processing, 30, { reader_id: idOf(reader) })
  await core.ok('POST', '/admin/simulate', { event: 'inquiry', transaction_id: idOf(disputed) })
  const ledger = [{ assoc_transaction_id: payment }]
  const refund = idOf(await core.ok('POST', '/transactions', { type: 'refund', amount: 5, ledger }))
  const paid = await core.ok('GET', `/transactions/${payment}`)
  await makeOrg(core, processing)
  await makeBills(core, processing, customer)
  await makeListeners(core, processing)
  const all = [...(await everything(core))]
  return {
    processing,
    customer,
    method: idOf(objectOf(paid.payment_method)),
    payment,
    refund,
    ids: new Map(all.map(([path, ids]) => [path, ids.filter((id) => !before.has(id))])),
    key: narrowed(processing),
  }
}

/** Makes an organization whose primary account is this account, and a representative of its legal entity. */
async function makeOrg(core: TestCore, processing: string): Promise<void> {
  const { legal_entity: entity } = await core.ok('GET', `/processing_accounts/${processing}`)
  const speaker = { full_name: 'Eve Lee', role: 'representative' }
  await core.ok('POST', `/legal_entities/${idOf(objectOf(entity))}/stakeholders`, speaker)
  const body = {
    name: 'Park Group',
    industry: 'books',
    org_type: 'company',
    primary_processing_id: processing,
  }
  const org = idOf(await core.ok('POST', '/orgs', body))
  await core.ok('POST', `/orgs/${org}/account_access`, { account_id: processing })
}

/** Makes invoices, a schedule and a payment link for the customer, with a file and a page. */
async function makeBills(core: TestCore, processing: string, customer: string): Promise<void> {
  const parties = { processing_id: processing, customer_id: customer }
  const charge = { amount: 12, description: 'Books' }
  await core.ok('POST', '/billing_schedules', {
    ...parties,
    recurring_frequency: 'monthly',
    start_date: '2099-01-31',
    charges: [charge],
  })
  await core.ok('POST', '/invoices', {
    ...parties,
    items: [{ ...charge, entry_type: 'charge' }],
    attachments: [{ file: dataUrl('Terms.txt', contents.txt) }],
  })
  await core.ok('POST', '/payment_links', {
    ...parties,
    amount: 10,
    description: 'Books',
    notifications: [{ email: 'a@example.com' }],
  })
  await core.ok('POST', '/payment_activations', { ...parties, email: 'ada@example.com' })
}

/** Makes webhooks, notifications and a client key of a page for the merchant. */
async function makeListeners(core: TestCore, processing: string): Promise<void> {
  const url = 'https://example.com/hook'
  const webhook = await core.ok('POST', '/webhooks', { trigger: 'payment', url, processing_id: processing })
  await core.ok('POST', '/access_tokens', { type: 'client', processing_id: processing })
  const handle = core.environment.core
  await handle.write((work) =>
    work.insert(resources.webhook_log, {
      ...work.blank(resources.webhook_log),
      trigger: 'payment',
      url,
      webhook_id: idOf(webhook),
      http_status: 200,
      triggered_on__id: 'txn_1',
      triggered_on__object: 'transaction',
      triggered_on__value: 'processed',
    }),
  )
}

/** A key narrowed to processing accounts. */
export function narrowed(...processingIds: string[]): Principal {
  return { kind: 'key', id: `key_${processingIds.join('')}`, manage: false, processingIds }
}

/** The ids of all objects, by path. */
async function everything(core: TestCore): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const { plural } of reachable) found.set(plural, (await listed(core, plural, 'id')).map(idOf))
  return found
}

async function listed(core: TestCore, plural: string, fields: string) {
  return valuesOf(await core.ok('GET', `/${plural}`, undefined, { query: `limit=1000&fields=${fields}` }))
}

/** All stored objects of a merchant, as the operator sees them. */
export async function contentsOf(core: TestCore, { ids }: Merchant): Promise<Json> {
  const contents: JsonObject = {}
  for (const { plural } of reachable) {
    const own = (await listed(core, plural, '*')).filter((object) => ids.get(plural)?.includes(idOf(object)))
    contents[plural] = own
  }
  return contents
}

/** The first of a merchant's objects at a path. */
export function firstOf({ ids }: Merchant, plural: string): string {
  const [first] = ids.get(plural) ?? []
  if (first === undefined) throw new Error(`The merchant has no ${plural}`)
  return first
}

/** An unknown id that looks like an existing id. */
export function unknownLike(id: string): string {
  return `${id.slice(0, -6)}UNKNWN`
}

/** The relations of a resource to other declared resources. */
export function relationsOf(
  resource: Resource,
): { name: string; field: OneField | ManyField; to: Resource }[] {
  return Object.entries(attributesOf(resource)).flatMap(([name, field]) => {
    const to = field.kind === 'one' || field.kind === 'many' ? find(field.to) : undefined
    return to && (field.kind === 'one' || field.kind === 'many') ? [{ name, field, to }] : []
  })
}

/** The attributes of a resource that refer to objects of other resources. */
export function referencesOf(resource: Resource): { name: string; to: Resource }[] {
  return Object.entries(attributesOf(resource)).flatMap(([name, field]) => {
    const to = field.kind === 'ref' ? find(field.to) : undefined
    return to ? [{ name, to }] : []
  })
}

function find(name: string): Resource | undefined {
  return reachable.find((resource) => resource.name === name)
}
