import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { countOf, idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, legalEntity, owner, processingAccount } from '../../support/examples.js'

onDatabases('sql', (open) => {
  describe('trees', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    const count = (path: string) => countOf(core, path)
    const customer = async (more: JsonObject = {}) =>
      await core.ok('POST', '/customers', { name: 'Ada', email: 'ada@example.com', ...more })

    describe('nested trees', () => {
      const whole = { query: 'fields=*,payment_methods,legal_entity[*],legal_entity[owners]' }

      it('creates, changes and deletes through the parent', async () => {
        const made = await core.ok('POST', '/processing_accounts', processingAccount(), whole)
        const entity = objectOf(made.legal_entity)
        const [ada] = listOf(entity.owners)
        const path = `/processing_accounts/${idOf(made)}`
        const change: JsonObject = {
          legal_entity: {
            id: idOf(entity),
            city: 'Boston',
            owners: [
              { id: idOf(objectOf(ada)), title: 'Founder' },
              { ...owner(40), full_name: 'Ben Park' },
            ],
          },
        }
        const changed = objectOf((await core.ok('PUT', path, change, whole)).legal_entity)
        expect(changed).to.include({ id: entity.id ?? null, city: 'Boston', ein: 'xxxxx6789' })
        expect(
          listOf(changed.owners).map((one) => [objectOf(one).full_name, objectOf(one).title]),
        ).to.deep.equal([
          ['Ada Park', 'Founder'],
          ['Ben Park', 'Owner'],
        ])
        const less = {
          legal_entity: { id: idOf(entity), owners: [{ id: idOf(objectOf(listOf(changed.owners)[1])) }] },
        }
        const left = objectOf((await core.ok('PUT', path, less, whole)).legal_entity)
        expect(listOf(left.owners).map((one) => objectOf(one).full_name)).to.deep.equal(['Ben Park'])
        expect((await core.send('GET', `/legal_entity_owners/${idOf(objectOf(ada))}`)).status).to.equal(404)
      })

      it('keeps a nested list that was not sent', async () => {
        const made = await core.ok('POST', '/processing_accounts', processingAccount(), whole)
        const changed = await core.ok('PUT', `/processing_accounts/${idOf(made)}`, { name: 'New' }, whole)
        expect(changed).to.deep.equal({ ...made, name: 'New', modified_at: changed.modified_at })
      })

      it('accepts a single object, or the numbered objects of a form, in place of a list', async () => {
        const one = await core.ok('POST', '/customers', { name: 'A', payment_methods: card() }, whole)
        expect(listOf(one.payment_methods).length).to.equal(1)
        const two = await core.ok(
          'POST',
          '/customers',
          { name: 'A', payment_methods: { 0: card(), 1: bankAccount() } },
          whole,
        )
        expect(listOf(two.payment_methods).length).to.equal(2)
      })

      it('names errors by their path in the body and writes no row', async () => {
        const before = [
          await count('/accounts'),
          await count('/legal_entities'),
          await count('/payment_methods'),
        ]
        const entity = { ...legalEntity(), ein: '12', owners: [owner(), { ...owner(), ssn: 'x', shoes: 7 }] }
        const tree = { ...processingAccount(), legal_entity: entity, payment_methods: [{ type: 'card' }] }
        const { status, body } = await core.send('POST', '/processing_accounts', tree)
        expect([status, body.details]).to.deep.equal([
          400,
          {
            legal_entity: {
              ein: 'Must have 9 digits',
              owners: { 1: { ssn: 'Must be valid number', shoes: 'Unknown attribute' } },
            },
            payment_methods: { 0: { card: { card_number: 'Required', expiry: 'Required' } } },
          },
        ])
        expect(body.error_description).to.equal(
          '[payment_methods][0][card][card_number], [payment_methods][0][card][expiry], ' +
            '[legal_entity][ein], [legal_entity][owners][1][ssn], [legal_entity][owners][1][shoes]',
        )
        const rule = await core.send('POST', '/processing_accounts', {
          ...processingAccount(),
          payment_methods: [{ type: 'card' }],
        })
        expect(rule.body.error_description).to.contain('[payment_methods][0][card]')
        expect([
          await count('/accounts'),
          await count('/legal_entities'),
          await count('/payment_methods'),
        ]).to.deep.equal(before)
      })

      it('refuses a nested id that has another parent', async () => {
        const one = await customer({ payment_methods: [card()] })
        const other = await customer({ payment_methods: [card()] })
        const methods = valuesOf(await core.ok('GET', `/customers/${idOf(other)}/payment_methods`))
        const { status, body } = await core.send('PUT', `/customers/${idOf(one)}`, {
          payment_methods: [{ id: idOf(objectOf(methods[0])), account_holder: 'Mallory' }],
        })
        expect([status, body.error_description]).to.deep.equal([400, '[payment_methods][0][id]'])
      })
    })

    describe('nested objects with an empty id', () => {
      const principal: Principal = { kind: 'key', id: 'a key', manage: false }
      const refusal = async (path: string, body: JsonObject) => {
        const answer = await core.send('POST', path, body, { principal })
        return [answer.status, answer.body.error_description]
      }

      for (const id of [null, ''])
        it(`are created like objects without an id: ${JSON.stringify(id)}`, async () => {
          const { ssn, ownership, ...rest } = owner()
          const before = await count('/accounts')
          expect(
            await refusal('/legal_entities', { ...legalEntity(), owners: [{ id, ...rest }] }),
          ).to.deep.equal([400, '[owners][0][ownership], [owners][0][ssn]'])
          const items = [{ id, amount: 5, total: 7 }]
          expect(
            await refusal('/invoices', { customer: { id, type: 'customer', transaction_limit: 5 }, items }),
          ).to.deep.equal([
            400,
            '[items][0][entry_type], [items][0][total], [customer][name], [customer][transaction_limit]',
          ])
          const processing = { industry: 'books', status: 'active' }
          const active = { ...processingAccount(), id, type: 'processing', processing }
          const payment = { type: 'payment', amount: 5, payment_method: card(), processing: active }
          expect(await refusal('/transactions', payment)).to.deep.equal([
            400,
            '[processing][processing][status]',
          ])
          expect(await count('/accounts')).to.equal(before)
          const made = await core.ok('POST', '/legal_entities', {
            ...legalEntity(),
            owners: [{ id, ...owner() }],
          })
          expect(listOf(made.owners)).to.have.length(1)
        })
    })

    it('reads the reference of a nested object to its parent as at the own path of that object', async () => {
      const { id, items } = await core.ok('POST', '/invoices', {
        customer_id: idOf(await customer()),
        items: [{ entry_type: 'charge', amount: 10 }],
      })
      const [item] = listOf(items).map(objectOf)
      const put = async (invoice_id: Json) => {
        const sent = { items: [{ id: item?.id ?? null, invoice_id }] }
        const { status, body } = await core.send('PUT', `/invoices/${id}`, sent)
        return [status, body.details]
      }
      const refused = (problem: string) => [400, { items: { 0: { invoice_id: problem } } }]
      expect(await put(null)).to.deep.equal(refused('Required'))
      for (const wrong of [5, true, { id: 'inv_1' }])
        expect(await put(wrong)).to.deep.equal(refused('Must be valid id'))
      expect((await put(id ?? null))[0]).to.equal(200)
      expect(await core.ok('GET', `/invoices/${id}`)).to.include({ total_due: 10 })
    })

    it('creates no related object where the path or another attribute already names one', async () => {
      const entity = await core.ok('POST', '/legal_entities', legalEntity())
      const other = { ...legalEntity(), legal_name: 'Other LLC' }
      const within = { ...legalEntity(), owners: [{ ...owner(30), legal_entity: other }] }
      const both = { ...processingAccount(), legal_entity_id: idOf(entity), legal_entity: other }
      const problems = async (path: string, body: JsonObject) =>
        (await core.send('POST', path, body)).body.error_description
      const before = await count('/legal_entities')
      expect(await problems('/legal_entities', within)).to.equal('[owners][0][legal_entity][id]')
      expect(
        await problems(`/legal_entities/${idOf(entity)}/owners`, { ...owner(30), legal_entity: other }),
      ).to.equal('[legal_entity][id]')
      expect(await problems('/processing_accounts', both)).to.equal('[legal_entity][id]')
      expect(await count('/legal_entities')).to.equal(before)
    })

    describe('nested paths', () => {
      it('reads, creates, changes and deletes below the parent', async () => {
        const id = idOf(await customer())
        const path = `/customers/${id}/payment_methods`
        const made = await core.ok('POST', path, card())
        expect(made).to.include({ account_id: id, object: 'payment_method' })
        expect(valuesOf(await core.ok('GET', path))).to.deep.equal([made])
        expect(await core.ok('GET', `${path}/${idOf(made)}`)).to.deep.equal(made)
        expect(
          (await core.ok('PUT', `${path}/${idOf(made)}`, { account_holder: 'Ada' })).account_holder,
        ).to.equal('Ada')
        expect((await core.ok('DELETE', `${path}/${idOf(made)}`)).id).to.equal(made.id)
        expect(valuesOf(await core.ok('GET', path))).to.deep.equal([])
      })

      it('finds no object of another parent and no unknown name', async () => {
        const one = idOf(await customer())
        const other = idOf(await customer())
        const method = idOf(await core.ok('POST', `/customers/${one}/payment_methods`, card()))
        const paths = [
          `/customers/${other}/payment_methods/${method}`,
          '/customers/acct_nobody/payment_methods',
          `/customers/${one}/shoes`,
        ]
        for (const path of paths) expect((await core.send('GET', path)).status, path).to.equal(404)
      })
    })
  })
})
