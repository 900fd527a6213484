import { expect } from 'chai'
import fc from 'fast-check'
import { resources } from '../../../src/resources/resource-table.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Resource } from '../../../src/schema/resource.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

/** Names that try to end an SQL statement, leave their quotes, or reach inherited properties. */
const HOSTILE = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '"',
  "'",
  '`',
  '"; drop table accounts; --',
  "' or 1 is 1 --",
  't.key_hash',
  'accounts.name',
  'processing_settings_id',
  'card__card_number',
  'deleted_at',
  '$.a',
  '\\',
  '\0',
  '\ud800',
  'ñame',
  '💥',
  'a.b',
  '*',
  '%',
  '',
  ' ',
]
/** Characters that one of the databases cannot store, so JSON with them is refused. */
const UNSTORABLE = /[\0\p{Surrogate}]/u
const PLACES = [
  'NAME',
  'NAME[x]',
  'processing[NAME]',
  'payment_methods[NAME]',
  'payment_methods[0][card][NAME]',
]

const inherited = () => Reflect.ownKeys(Object.prototype).map(String).sort()

onDatabases((open) => {
  describe('names chosen by clients', () => {
    let core: TestCore
    let customer: string
    const untouched = inherited()

    before(async () => {
      core = await openCore(open)
      customer = idOf(await core.ok('POST', '/customers', { name: 'Ada', attrs: { colour: 'red' } }))
    })
    afterEach(() => {
      expect(inherited()).to.deep.equal(untouched)
    })

    const refused = async (name: string, send: () => ReturnType<TestCore['send']>) => {
      const { status, body } = await send()
      expect([status, body.error_type], `${JSON.stringify(name)}: ${JSON.stringify(body)}`).to.deep.equal([
        400,
        'InvalidAttributes',
      ])
      expect(body.error_description).to.contain(name.split('[').at(-1)?.replace(']', ''))
    }

    for (const place of PLACES) {
      it(`are unknown attributes in filters, fields and order_by, as ${place}`, async () => {
        for (const name of hostileNames(place)) {
          for (const query of [`${name}=1`, `order_by=${name}`, `fields=${name}`]) {
            await refused(name, () => core.send('GET', '/customers', undefined, { query }))
          }
        }
      })
    }

    it('are unknown attributes in a body, its groups and its trees', async () => {
      for (const hostile of HOSTILE) {
        const bodies: JsonObject[] = [
          named(hostile, 1),
          { processing: named(hostile, 1) },
          { payment_methods: [{ type: 'card', card: named(hostile, 1) }] },
        ]
        for (const body of bodies) {
          await refused(hostile, () => core.send('POST', '/customers', body))
          await refused(hostile, () => core.send('PUT', `/customers/${customer}`, body))
        }
      }
    })

    it('are plain names inside attrs and are kept unchanged', async () => {
      for (const key of HOSTILE.filter((name) => !UNSTORABLE.test(name))) {
        const attrs = named(key, 'here')
        const made = await core.ok('POST', '/customers', { name: 'Eve', attrs })
        expect(JSON.stringify(made.attrs)).to.equal(JSON.stringify(attrs))
        const { values } = await core.ok('GET', '/customers', undefined, {
          query: `id=${idOf(made)}&attrs[${key}]=here&fields=id`,
        })
        expect(values, JSON.stringify(key)).to.deep.equal([{ id: made.id }])
      }
    })

    it('are safe to order by inside attrs', async () => {
      const plain = HOSTILE.filter((name) => !UNSTORABLE.test(name) && !/[,&=[\]]/.test(name))
      for (const key of plain) {
        const attrs = named(key, 'here')
        await core.ok('POST', '/customers', { name: 'Order', attrs })
        const query = `name=Order&order_by=-attrs[${key}]&limit=1&fields=attrs`
        const { values } = await core.ok('GET', '/customers', undefined, { query })
        expect(JSON.stringify(values), JSON.stringify(key)).to.equal(JSON.stringify([{ attrs }]))
      }
    })

    it('answer 404 in a path', async () => {
      for (const hostile of HOSTILE.filter((name) => name !== '')) {
        for (const path of [`/${hostile}`, `/customers/${hostile}`, `/customers/${customer}/${hostile}`]) {
          const { status, body } = await core.send('GET', path)
          expect([status, body.error_type], JSON.stringify(path)).to.deep.equal([404, 'NotFound'])
        }
      }
    })

    it('are unknown paths in permissions', async () => {
      for (const hostile of HOSTILE.filter((name) => !UNSTORABLE.test(name))) {
        const { status, body } = await core.send('POST', '/admin/keys', { grants: named(hostile, ['GET']) })
        expect([status, body.error_description], hostile).to.deep.equal([400, `[grants][${hostile}]`])
      }
    })

    it('never reach the database without a declaration', async () => {
      const part = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 8 }))
      const name = fc
        .tuple(fc.constantFrom('id', 'name', 'processing', 'payment_method', 'ledger', ''), fc.array(part))
        .map(([head, rest]) => `${head}${rest.map((inner) => `[${inner}]`).join('')}`)
      const known: readonly Resource[] = Object.values(resources)
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...known), fc.oneof(name, part), async (resource, written) => {
          for (const query of [`${written}=1`, `fields=${written}`, `order_by=${written}`]) {
            const { status } = await core.send('GET', `/${resource.plural}`, undefined, { query })
            expect(status, `${resource.plural}?${query}`).to.be.oneOf([200, 400])
          }
        }),
        { numRuns: 300 },
      )
    })
  })
})

/**
 * The hostile names at a place, without names that are valid there, such as `*`, an index or the empty name.
 */
function hostileNames(place: string): string[] {
  const meant = place === 'NAME' ? ['', ' ', '*'] : ['', '*']
  return HOSTILE.filter((name) => !meant.includes(name)).map((name) => place.replace('NAME', () => name))
}

/** An object with an own property of any name. */
function named(name: string, value: Json): JsonObject {
  return JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`)
}
