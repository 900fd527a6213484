import { expect } from 'chai'
import type { Json, JsonObject } from '../../../../src/schema/json.js'
import { attributesOf, type Resource } from '../../../../src/schema/resource.js'
import { registry } from '../../../support/contract/document.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../../support/core.js'
import { onEachDatabase } from '../../../support/databases.js'
import { bankAccount, makeProcessing } from '../../../support/examples.js'
import { furnish } from './furnish.js'
import { makeWorld } from './world.js'

/** What a change of anything changes as well. */
const CHANGING = new Set(['modified_at'])

const resources = registry.all.filter(({ refuses }) => refuses?.PUT === undefined)

onEachDatabase((open) => {
  describe('interface line 8: what GET answered', () => {
    let core: TestCore

    before(async () => {
      core = await openCore(open)
      await furnish(core, await makeWorld(core))
      // Deleted, and still shown by what names them.
      for (const path of ['/payment_methods', '/readers', '/customers'])
        for (const { id } of valuesOf(await core.ok('GET', path, undefined, { query: 'fields=id' })))
          await core.send('DELETE', `${path}/${id}`)
      await core.ok('POST', '/payment_methods', { ...bankAccount(), keep_active: true })
      const shop = await makeProcessing(core, 'Open')
      await core.ok('POST', '/readers', { name: 'Counter', processing_id: shop })
    })

    const queries: readonly [name: string, fieldsOf: (resource: Resource) => string][] = [
      ['by default', () => '*'],
      ['with everything that is nested', (resource) => ['*', ...relationsOf(resource)].join()],
    ]
    for (const resource of resources)
      for (const [name, fieldsOf] of queries)
        it(`of ${resource.plural} ${name} is put back and changes nothing`, async () => {
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
        })

    it('is put back as a list, too', async () => {
      for (const { plural } of resources) {
        const shown = await core.ok('GET', `/${plural}`)
        const { status, body } = await core.send('PUT', `/${plural}`, shown)
        expect([status, body.details], plural).to.deep.equal([200, undefined])
        expect(unchanging(body)).to.deep.equal(unchanging(shown))
      }
    })
  })
})

/** Relations of a resource, those in groups left out. */
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
