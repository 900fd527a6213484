import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { countOf, idOf, list, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'

onDatabases((open) => {
  describe('generic writes', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })

    const count = (path: string) => countOf(core, path)
    const customer = async (more: JsonObject = {}) =>
      await core.ok('POST', '/customers', { name: 'Ada', email: 'ada@example.com', ...more })

    it('creates, reads, changes and deletes one object', async () => {
      const made = await customer({ phone_number: '212-555-0100', attrs: { vip: [1, null, 'x'] } })
      const path = `/customers/${idOf(made)}`
      expect(made).to.include({ object: 'customer', type: 'customer', phone_number: '2125550100' })
      expect(made.id).to.match(/^acct_[0-9A-Za-z]{22}$/)
      expect(made.created_at).to.match(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      expect(await core.ok('GET', path)).to.deep.equal(made)
      const changed = await core.ok('PUT', path, { name: 'Ada Park', phone_number: null })
      expect(changed).to.deep.include({
        ...made,
        name: 'Ada Park',
        phone_number: null,
        modified_at: changed.modified_at,
      })
      expect(await core.ok('DELETE', path)).to.deep.equal(changed)
      expect((await core.send('GET', path)).body.error_type).to.equal('NotFound')
      expect((await core.send('DELETE', path)).status).to.equal(404)
    })

    it('answers with the requested fields', async () => {
      const body = await core.ok('POST', '/customers', { name: 'Ada' }, { query: 'fields=name' })
      expect(body).to.deep.equal({ name: 'Ada' })
    })

    it('accepts the same row under each of its paths, and answers with the name of that path', async () => {
      const id = idOf(await customer())
      expect((await core.ok('GET', `/accounts/${id}`)).object).to.equal('account')
      expect((await core.send('GET', `/processing_accounts/${id}`)).status).to.equal(404)
    })

    it('accepts an unchanged object that is sent back, and refuses a read-only change', async () => {
      const account = await core.ok('POST', '/processing_accounts', processingAccount(), {
        query: 'fields=*,payment_methods',
      })
      const path = `/processing_accounts/${idOf(account)}`
      await core.ok('POST', '/admin/clock', { by: '1h' })
      const again = await core.ok('PUT', path, account, { query: 'fields=*,payment_methods' })
      expect(again).to.deep.equal(account)
      const { status, body } = await core.send('PUT', path, {
        created_at: '2001-01-01',
        type: 'customer',
        status: 'active',
      })
      expect([status, body.details]).to.deep.equal([
        400,
        { created_at: 'Read only', type: 'Read only', status: 'Read only' },
      ])
    })

    describe('lists', () => {
      it('creates, changes and deletes many', async () => {
        const made = valuesOf(await core.ok('POST', '/customers', list([{ name: 'A' }, { name: 'B' }])))
        expect(made.map((object) => object.name)).to.deep.equal(['A', 'B'])
        const changes = made.map(({ id, name }) => ({ id: id ?? null, name: `${name}${name}` }))
        const changed = valuesOf(await core.ok('PUT', '/customers', list(changes)))
        expect(changed.map((object) => object.name)).to.deep.equal(['AA', 'BB'])
        const gone = valuesOf(
          await core.ok('DELETE', '/customers', list(made.map(({ id }) => ({ id: id ?? null })))),
        )
        expect(gone.map((object) => object.name)).to.deep.equal(['AA', 'BB'])
        expect((await core.send('GET', `/customers/${made[0]?.id}`)).status).to.equal(404)
      })

      it('refuses to delete a list that contains an object twice', async () => {
        const id = idOf(await customer({ name: 'Named twice' }))
        const { status, body } = await core.send('DELETE', '/customers', list([{ id }, { id }]))
        expect([status, body.details]).to.deep.equal([400, { 1: { id: 'Not found' } }])
        expect(await core.ok('GET', `/customers/${id}`)).to.include({ name: 'Named twice' })
      })

      it('accepts a bare list, and the numbered objects of a form', async () => {
        expect(valuesOf(await core.ok('POST', '/customers', [{ name: 'A' }])).length).to.equal(1)
        expect(
          valuesOf(await core.ok('POST', '/customers', { 0: { name: 'A' }, 1: { name: 'B' } })).length,
        ).to.equal(2)
      })

      it('changes no row if one item fails, and names every failing item', async () => {
        const before = await count('/customers')
        const { status, body } = await core.send(
          'POST',
          '/customers',
          list([{ name: 'A' }, { email: 'x' }, {}]),
        )
        expect(status).to.equal(400)
        expect(body.error_description).to.equal('[1][email], [1][name], [2][name]')
        expect(body.details).to.deep.equal({
          1: { email: 'Must be valid email', name: 'Required' },
          2: { name: 'Required' },
        })
        expect(await count('/customers')).to.equal(before)
      })

      it('changes no row if one id is unknown', async () => {
        const one = await customer({ name: 'Same' })
        const changes: JsonObject[] = [
          { id: idOf(one), name: 'Other' },
          { id: 'acct_nobody', name: 'X' },
          { name: 'X' },
        ]
        const { status, body } = await core.send('PUT', '/customers', list(changes))
        expect([status, body.details]).to.deep.equal([400, { 1: { id: 'Not found' }, 2: { id: 'Required' } }])
        expect((await core.ok('GET', `/customers/${idOf(one)}`)).name).to.equal('Same')
      })

      it('accepts at most 1,000 items', async () => {
        const { status, body } = await core.send('POST', '/customers', list(Array(1001).fill({ name: 'A' })))
        expect([status, body.error_type]).to.deep.equal([400, 'BadRequest'])
      })
    })

    describe('by query', () => {
      it('changes and deletes all that match', async () => {
        for (const name of ['Q1', 'Q2', 'Q3']) await customer({ name, description: 'queried' })
        const query = 'mode=query&description=queried&name=!Q3'
        const changed = valuesOf(await core.ok('PUT', '/customers', { description: 'seen' }, { query }))
        expect(changed.map(({ name }) => name)).to.have.members(['Q1', 'Q2'])
        const gone = valuesOf(
          await core.ok('DELETE', '/customers', undefined, { query: 'mode=query&description=seen' }),
        )
        expect(gone.map(({ name }) => name)).to.have.members(['Q1', 'Q2'])
        const left = valuesOf(
          await core.ok('GET', '/customers', undefined, { query: 'description=queried|seen' }),
        )
        expect(left.map(({ name }) => name)).to.deep.equal(['Q3'])
      })

      it('is refused without a filter, or without mode=query', async () => {
        for (const query of ['mode=query', 'name=Q3']) {
          const put = await core.send('PUT', '/customers', { description: 'x' }, { query })
          const removal = await core.send('DELETE', '/customers', undefined, { query })
          expect([put.body.error_type, removal.body.error_type]).to.deep.equal(['BadRequest', 'BadRequest'])
        }
      })

      it('is refused together with a list, whose items already name their objects', async () => {
        const id = idOf(await customer({ name: 'Listed' }))
        for (const query of ['mode=query&name=Other', 'name=Other', 'mode=query']) {
          const body = list([{ id, description: 'x' }])
          const put = await core.send('PUT', '/customers', body, { query })
          const removal = await core.send('DELETE', '/customers', list([{ id }]), { query })
          expect([put.body.error_type, removal.body.error_type]).to.deep.equal(['BadRequest', 'BadRequest'])
        }
        expect(await core.ok('GET', `/customers/${id}`)).to.include({ description: null })
      })

      it('an item path accepts filters, which the item must match', async () => {
        const path = `/customers/${idOf(await customer({ name: 'Held' }))}`
        expect((await core.send('PUT', path, { description: 'x' }, { query: 'name=!Held' })).status).to.equal(
          404,
        )
        expect((await core.send('GET', path, undefined, { query: 'name=Other' })).status).to.equal(404)
        expect((await core.send('DELETE', path, undefined, { query: 'name=Other' })).status).to.equal(404)
        expect((await core.send('PUT', path, { description: 'x' }, { query: 'name=Held' })).status).to.equal(
          200,
        )
      })
    })

    const bodies: readonly [path: string, body: Json, details: Json][] = [
      ['/customers', { name: 1 }, { name: 'Must be valid string' }],
      ['/customers', { name: 'A', id: 'acct_1' }, { id: 'Read only' }],
      ['/customers', { name: 'A', object: 'account' }, { object: 'Must be customer' }],
      ['/customers', { name: 'A', type: 'processing' }, { type: 'Must be one of: customer' }],
      [
        '/customers',
        { name: 'A', primary_processing_id: 'acct_nobody' },
        { primary_processing_id: 'Not found' },
      ],
      [
        '/customers',
        { name: 'A', attrs: 'x'.repeat(70_000) },
        { attrs: 'Must be at most 65536 characters of JSON' },
      ],
      [
        '/customers',
        { name: 'A', attrs: { a: ['\0'] } },
        { attrs: 'Must be valid JSON without NUL and broken characters' },
      ],
      ...['a\u001b[2Jb', '\n', '\u009b31m', '\u202eevil'].map((name): [string, JsonObject, JsonObject] => [
        '/customers',
        { name: 'A', attrs: { deep: [{ [name]: 1 }] } },
        { attrs: 'Must have names without control characters' },
      ]),
      ...[Number('12345678901234567890'), Number('1e400')].map((number): [string, JsonObject, JsonObject] => [
        '/customers',
        { name: 'A', attrs: { order: [number] } },
        { attrs: 'Must have numbers that are kept exactly; write others as text' },
      ]),
      ['/customers', { name: 'A', payment_methods: 'x' }, { payment_methods: 'Must be a list' }],
      ['/customers', { name: 'A', payment_methods: ['x'] }, { payment_methods: { 0: 'Must be an object' } }],
      ['/accounts', { name: 'A' }, { type: 'Required' }],
      ['/legal_entity_owners', { legal_entity_id: 'le_1' }, null],
      [
        '/payment_methods',
        { ...card(), billing_address: { city: 'Rome' } },
        { billing_address: { postal_code: 'Required' } },
      ],
      [
        '/payment_methods',
        { type: 'card', card: { expiry: '12/39' } },
        { card: { card_number: 'Required' } },
      ],
    ]
    for (const [path, body, details] of bodies) {
      it(`${path} refuses ${JSON.stringify(body).slice(0, 60)}`, async () => {
        const answer = await core.send('POST', path, body)
        expect([answer.status, answer.body.error_type]).to.deep.equal([400, 'InvalidAttributes'])
        if (details) expect(answer.body.details).to.deep.equal(details)
        else expect(objectOf(answer.body.details).legal_entity_id).to.equal('Read only')
      })
    }

    for (const body of ['text', 7, true]) {
      it(`refuses the body ${JSON.stringify(body)}`, async () => {
        expect((await core.send('POST', '/customers', body)).body.error_type).to.equal('BadRequest')
      })
    }
  })
})
