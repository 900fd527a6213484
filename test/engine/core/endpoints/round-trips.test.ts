import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import { registry } from '../../../support/contract/document.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { eachCase } from '../../../support/each-case.js'
import { bankAccount, card, makeProcessing } from '../../../support/examples.js'
import { furnish } from './furnish.js'
import { makeWorld } from './world.js'

/** Attributes that every update changes. */
const CHANGING = new Set(['modified_at'])

const resources = registry.all.filter(({ refuses }) => refuses?.PUT === undefined)

/** Relations that show deleted objects. */
const lastingRelations = resources.flatMap((resource) =>
  Object.entries(attributesOf(resource)).flatMap(([name, field]) =>
    field.kind === 'one' && field.lasting ? [[resource, name] as const] : [],
  ),
)

onDatabases('sql', (open) => {
  describe('interface line 8: an object that was read', () => {
    let core: TestCore

    before(async () => {
      core = await openCore(open)
      await furnish(core, await makeWorld(core))
      // Deletes objects that related objects still show.
      for (const path of ['/payment_methods', '/readers', '/customers'])
        for (const { id } of valuesOf(await core.ok('GET', path, undefined, { query: 'fields=id' })))
          await core.send('DELETE', `${path}/${id}`)
      await deleteMore(core)
      await core.ok('POST', '/payment_methods', { ...bankAccount(), keep_active: true })
      const shop = await makeProcessing(core, 'Open')
      await core.ok('POST', '/readers', { name: 'Counter', processing_id: shop })
    })

    const queries: readonly [name: string, fieldsOf: (resource: Resource) => string][] = [
      ['by default', () => '*'],
      ['with everything that is nested', (resource) => ['*', ...relationsOf(resource)].join()],
    ]
    for (const [name, fieldsOf] of queries)
      it(`of any resource ${name} can be sent back without changing any value`, async () => {
        await eachCase(
          resources,
          ({ plural }) => plural,
          async (resource) => {
            const query = `fields=${fieldsOf(resource)}`
            const objects = valuesOf(await core.ok('GET', `/${resource.plural}`, undefined, { query }))
            expect(objects).not.to.deep.equal([])
            const read = async (id: string) => {
              const shown = await core.send('GET', `/${resource.plural}/${id}`, undefined, { query })
              return shown.body
            }
            for (const listed of objects) {
              const id = idOf(listed)
              const shown = await read(id)
              const { status, body } = await core.send('PUT', `/${resource.plural}/${id}`, shown, { query })
              expect([status, body.details], JSON.stringify(shown)).to.deep.equal([200, undefined])
              expect(unchanging(body)).to.deep.equal(unchanging(shown))
              expect(unchanging(await read(id))).to.deep.equal(unchanging(shown))
            }
          },
        )
      })

    it('shows deleted nested objects wherever they can occur', async () => {
      const without: string[] = []
      for (const [{ name, plural }, relation] of lastingRelations) {
        const query = `fields=${relation}`
        const objects = valuesOf(await core.ok('GET', `/${plural}`, undefined, { query }))
        if (!objects.some((object) => objectOf(object[relation] ?? {}).deleted === true))
          without.push(`${name}[${relation}]`)
      }
      // An account with transactions cannot be deleted.
      expect(without).to.deep.equal(['transaction[processing]'])
    })

    it('can be sent back in a list, too', async () => {
      for (const { plural } of resources) {
        const shown = await core.ok('GET', `/${plural}`)
        const { status, body } = await core.send('PUT', `/${plural}`, shown)
        expect([status, body.details], plural).to.deep.equal([200, undefined])
        expect(unchanging(body)).to.deep.equal(unchanging(shown))
      }
    })
  })
})

/**
 * Deletes objects that can be deleted only without a payment: a payment with receipt and allocation, a
 * schedule, an invoice.
 */
async function deleteMore(core: TestCore): Promise<void> {
  const processing_id = await makeProcessing(core, 'Quiet')
  const customer = idOf(await core.ok('POST', '/customers', { name: 'Grace Holm' }))
  const parties = { customer_id: customer, processing_id }
  const make = async (path: string, body: JsonObject = {}) =>
    idOf(await core.ok('POST', path, { ...parties, ...body }))
  const schedule = await make('/billing_schedules', { charges: [{ amount: 5 }] })
  const invoice = async () =>
    await make('/invoices', { billing_schedule_id: schedule, items: [{ entry_type: 'charge', amount: 10 }] })
  const kept = await invoice()
  const deleted = await invoice()
  await make('/payment_links', { invoice_id: deleted })
  const voided = async (allocations: JsonObject[]) => {
    const body = { type: 'payment', amount: 10, payment_method: card(), allocations }
    const payment = await make('/transactions', body)
    await core.ok('PUT', `/transactions/${payment}`, { status: 'voided' })
    return payment
  }
  await voided([])
  const payment = await voided([{ entry_type: 'payment', invoice_id: kept, amount: 10 }])
  for (const path of [`/transactions/${payment}`, `/invoices/${deleted}`, `/billing_schedules/${schedule}`])
    await core.ok('DELETE', path)
}

/** Relations of a resource, except those in groups. */
function relationsOf(resource: Resource): string[] {
  return Object.entries(attributesOf(resource)).flatMap(([name, field]) =>
    field.kind === 'one' || field.kind === 'many' || (field.nonDefault && !field.transient) ? [name] : [],
  )
}

function unchanging(value: Json | undefined): Json {
  if (Array.isArray(value)) return value.map(unchanging)
  if (typeof value !== 'object' || value === null) return value ?? null
  const kept = Object.entries(value).filter(([name]) => !CHANGING.has(name))
  const object: JsonObject = Object.fromEntries(kept.map(([name, inner]) => [name, unchanging(inner)]))
  return object
}
