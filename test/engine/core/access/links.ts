import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, objectOf, type TestCore, valuesOf } from '../../../support/core.js'
import { card, legalEntity } from '../../../support/examples.js'
import type { Merchant } from '../merchants.js'

/** Objects of another merchant that does business with the first merchant. */
export interface Linked {
  /** The payment method that paid the merchant: the only one of these objects that the merchant sees. */
  readonly lent: string
  /** The other merchant with all its own objects. */
  readonly stranger: Merchant
  /** Ids that the merchant must not see or refer to. */
  readonly hidden: readonly string[]
}

/** Links two merchants by every relation between their objects. */
export async function link(core: TestCore, merchant: Merchant, stranger: Merchant): Promise<Linked> {
  const method = await core.ok('POST', '/payment_methods', methodOf(stranger))
  const pays = { processing_id: merchant.processing, customer_id: stranger.customer }
  const lent = idOf(method)
  await core.ok('POST', '/transactions', { type: 'payment', amount: 11, payment_method_id: lent, ...pays })
  const items = [{ entry_type: 'charge', amount: 3, description: 'Lent' }]
  await core.ok('POST', '/invoices', { ...pays, items })
  await core.ok('POST', '/billing_schedules', { ...pays, charges: [{ amount: 2 }] })
  await core.ok('POST', '/payment_links', { ...pays, amount: 4 })
  await core.ok('POST', '/payment_activations', pays)
  const org = idOf(await core.ok('POST', '/orgs', orgOf(stranger)))
  await core.ok('POST', '/account_access', { org_id: org, account_id: merchant.processing })
  await core.ok('PUT', `/customers/${merchant.customer}`, { parent_org_id: org })
  const entity = idOf(objectOf(method.legal_entity))
  const owners = valuesOf(await core.ok('GET', `/legal_entities/${entity}/owners`)).map(idOf)
  const besides = new Map([
    ['orgs', [org]],
    ['legal_entities', [entity]],
    ['legal_entity_owners', owners],
    ['processing_agreements', [idOf(objectOf(method.processing_agreement))]],
  ])
  const ids = [...stranger.ids].map(([path, own]) => [path, [...own, ...(besides.get(path) ?? [])]] as const)
  const named = [lent, stranger.customer, org]
  const hidden = ids.flatMap(([, own]) => own).filter((id) => !named.includes(id))
  return { lent, stranger: { ...stranger, ids: new Map(ids) }, hidden }
}

function methodOf({ customer }: Merchant): JsonObject {
  const agreement = { type: 'recurring', terms: 'Monthly' }
  return { ...card(), account_id: customer, legal_entity: legalEntity(), processing_agreement: agreement }
}

function orgOf({ processing }: Merchant): JsonObject {
  return { name: 'Zoe Holding', industry: 'books', org_type: 'group', primary_processing_id: processing }
}
