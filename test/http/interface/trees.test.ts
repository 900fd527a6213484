import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, legalEntity, owner, processingAccount } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

onDatabases((open) => {
  describe('interface line 3: an object without id under a single relation', () => {
    let shop: Shop
    let ada: string

    before(async () => {
      shop = await openShop(open)
      ada = idOf(await shop.ok('POST', '/customers', { name: 'Ada Park' }))
    })

    /** Path, name of the relation, and body of the related object. */
    const created: readonly [path: string, relation: string, body: () => JsonObject][] = [
      ['/invoices', 'customer', () => ({ customer: { name: 'Bea' } })],
      ['/line_items', 'invoice', () => ({ ...charge, invoice: { customer: { name: 'Bea' } } })],
      ['/billing_charges', 'billing_schedule', () => ({ amount: 5, billing_schedule: schedule() })],
      ['/billing_schedules', 'customer', () => ({ processing_id: shop.account, customer: { name: 'Bea' } })],
      ['/payment_links', 'customer', () => ({ amount: 5, customer: { name: 'Bea' } })],
      ['/payment_activations', 'customer', () => ({ customer: { name: 'Bea' } })],
      ['/transactions', 'customer', () => ({ ...payment(), customer: { name: 'Bea' } })],
      ['/transactions', 'processing', () => ({ ...payment(), processing: processingAccount('Bea') })],
      ['/transactions', 'reader', () => ({ ...payment(), processing_id: shop.account, reader: reader() })],
      ['/receipts', 'transaction', () => ({ transaction: payment() })],
      ['/legal_entity_owners', 'legal_entity', () => ({ ...owner(10), legal_entity: legalEntity() })],
      ['/stakeholders', 'legal_entity', () => ({ ...stakeholder, legal_entity: legalEntity() })],
      ['/payment_links', 'invoice', () => ({ invoice: { customer_id: ada, items: [charge] } })],
    ]
    const charge = { entry_type: 'charge', amount: 5 }
    const stakeholder = { full_name: 'Ada', role: 'director' }
    const schedule = () => ({ customer_id: ada, processing_id: shop.account })
    const reader = () => ({ name: 'Counter', processing_id: shop.account })
    const payment = () => ({
      type: 'payment',
      amount: 5,
      payment_method: card(),
    })

    for (const [path, relation, body] of created)
      it(`is created by POST ${path} {${relation}: {…}}, which sets the reference`, async () => {
        const made = await shop.ok('POST', `${path}?fields=*,${relation}`, body())
        const related = objectOf(made[relation])
        expect(idOf(related)).to.match(/^[a-z]+_/)
        const reference = relation === 'processing' ? 'processing_id' : `${relation}_id`
        expect(made[reference] ?? related.id).to.equal(related.id)
        const again = await shop.ok('GET', `${path}/${idOf(made)}/${relation}`)
        expect(again.id).to.equal(related.id)
      })

    for (const [path, relation, body] of created.filter(([path]) => path !== '/transactions'))
      it(`with {id} refers to an existing object: POST ${path} {${relation}: {id}}`, async () => {
        const first = await shop.ok('POST', `${path}?fields=*,${relation}`, body())
        const id = idOf(objectOf(first[relation]))
        const second = await shop.ok('POST', `${path}?fields=*,${relation}`, {
          ...body(),
          [relation]: { id },
        })
        expect([idOf(objectOf(second[relation])), second.id === first.id]).to.deep.equal([id, false])
      })

    it('is created by PUT, too, and replaces the previous object', async () => {
      const invoice = await shop.ok('POST', '/invoices', { customer_id: ada })
      const path = `/invoices/${idOf(invoice)}?fields=*,customer`
      const other = await shop.ok('PUT', path, { customer: { name: 'Cleo' } })
      expect(objectOf(other.customer)).to.include({ name: 'Cleo', id: other.customer_id })
      expect(await shop.ok('GET', `/customers/${ada}`)).to.include({ name: 'Ada Park' })
      const back = await shop.ok('PUT', path, { customer: { id: ada } })
      expect(back).to.include({ customer_id: ada })
      const schedules = await shop.ok('POST', '/billing_schedules', schedule())
      const moved = await shop.ok('PUT', `/billing_schedules/${idOf(schedules)}`, {
        customer: { name: 'Dora' },
      })
      expect(moved.customer_id).not.to.equal(ada)
    })

    it('with an id is changed by the attributes beside it, at its position', async () => {
      const invoice = await shop.ok('POST', '/invoices?fields=*,customer', {
        customer: { id: ada, description: 'regular' },
      })
      expect(objectOf(invoice.customer)).to.include({ name: 'Ada Park', description: 'regular' })
    })

    it('is refused together with another reference, or without a valid reference; the error names its place', async () => {
      const refused: readonly [JsonObject, JsonObject][] = [
        [{ customer_id: ada, customer: { name: 'Eve' } }, { customer: 'Must not be sent with customer_id' }],
        [{ customer_id: ada, customer: { id: shop.account } }, { customer_id: 'Must be the id of customer' }],
        [{ customer: { id: 'acct_none' } }, { customer: { id: 'Not found' } }],
        [{ customer: { email: 'x' } }, { customer: { name: 'Required', email: 'Must be valid email' } }],
        [{}, { customer_id: 'Required' }],
      ]
      for (const [body, details] of refused) {
        const answer = await shop.ask('POST', '/invoices', body)
        expect([answer.status, answer.body.details]).to.deep.equal([400, details])
      }
    })
  })

  describe('interface line 3: processing settings without id in a change of their account', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    it('are new ones that copy omitted values from the previous settings', async () => {
      const path = `/accounts/${shop.account}`
      const first = objectOf((await shop.ok('GET', path)).processing)
      const before = objectOf(first.settings)
      await shop.ok('PUT', `/processing_settings/${idOf(before)}`, {
        credit_trans_rate: 1.5,
        minimum_bill: 20,
        card_processing: { debit: false },
        attrs: { plan: 'gold' },
      })
      const changed = await shop.ok('PUT', path, {
        processing: { settings: { batch_fee: 1, card_processing: { prepaid: false } } },
      })
      const after = objectOf(objectOf(changed.processing).settings)
      expect(after.id).not.to.equal(before.id)
      expect(after).to.deep.include({
        batch_fee: 1,
        credit_trans_rate: 1.5,
        minimum_bill: 20,
        chargeback_fee: 15,
        card_processing: { credit: true, debit: false, prepaid: false },
        attrs: { plan: 'gold' },
      })
    })

    it('need manage, like other settings', async () => {
      const plain = await shop.service.key()
      const other = await shop.ok('POST', '/processing_accounts', processingAccount('Other'))
      const { id } = objectOf(objectOf(other.processing).settings)
      const others: JsonObject[] = [{ batch_fee: 0 }, { id: id ?? null }]
      for (const settings of others) {
        const body = { processing: { settings } }
        const put = await shop.service.ask(plain, 'PUT', `/accounts/${shop.account}`, body)
        expect([put.status, put.body.details]).to.deep.equal([400, { processing: { settings: 'Read only' } }])
      }
      const taken = await shop.ask('PUT', `/accounts/${shop.account}`, {
        processing: { settings: { id: id ?? null } },
      })
      expect(taken.body.details).to.deep.equal({
        processing: { settings: { id: 'Belongs to another object' } },
      })
    })

    it('that belong to no account yet are named by their id', async () => {
      const free = await shop.ok('POST', '/processing_settings', { batch_fee: 2 })
      const changed = await shop.ok('PUT', `/accounts/${shop.account}`, {
        processing: { settings: { id: idOf(free) } },
      })
      expect(changed).to.have.nested.include({
        'processing.settings.id': idOf(free),
        'processing.settings.batch_fee': 2,
      })
    })
  })

  describe('interface line 4: legal entities', () => {
    let shop: Shop

    before(async () => {
      shop = await openShop(open)
    })

    const bare = { name: 'Bare', processing: { industry: 'books' } }

    it('that exist are attached to an account, by {legal_entity: {id}} and by legal_entity_id', async () => {
      const id = idOf(await shop.ok('POST', '/legal_entities', legalEntity()))
      const namings: JsonObject[] = [{ legal_entity: { id } }, { legal_entity_id: id }]
      for (const naming of namings) {
        const made = await shop.ok('POST', '/processing_accounts', { ...bare, ...naming })
        expect(made).to.have.nested.include({ legal_entity_id: id, 'legal_entity.id': id })
        const other = await shop.ok('POST', '/accounts', { ...bare, type: 'processing' })
        expect(other).to.include({ legal_entity_id: null, legal_entity: null })
        const path = `/accounts/${idOf(other)}`
        expect(await shop.ok('PUT', path, naming)).to.have.nested.include({
          legal_entity_id: id,
          'legal_entity.id': id,
        })
        expect(await shop.ok('PUT', path, { legal_entity: null })).to.include({ legal_entity_id: null })
      }
      const customer = await shop.ask('POST', '/customers', { name: 'Ada', legal_entity_id: id })
      expect(customer.body.details).to.deep.equal({ legal_entity_id: 'Only for processing accounts' })
      const method = { ...card(), legal_entity: { id } }
      expect(await shop.ok('POST', '/payment_methods', method)).to.have.nested.include({
        'legal_entity.id': id,
      })
    })

    it("get owners at the owners' own path, and no owner is created without a legal entity", async () => {
      const { owners: _, ...entity } = legalEntity()
      const id = idOf(await shop.ok('POST', '/legal_entities', entity))
      const made = await shop.ok('POST', '/legal_entity_owners', { ...owner(40), legal_entity: { id } })
      expect(made).to.include({ legal_entity_id: id })
      const moved = await shop.ask('PUT', `/legal_entity_owners/${idOf(made)}`, {
        legal_entity: legalEntity(),
      })
      expect(moved.body.details).to.deep.equal({ legal_entity: 'Read only' })
      const same = { legal_entity: { id }, title: 'Founder' }
      expect(await shop.ok('PUT', `/legal_entity_owners/${idOf(made)}`, same)).to.include({
        title: 'Founder',
      })
      const refused: readonly [JsonObject, JsonObject][] = [
        [owner(1), { legal_entity: 'Required' }],
        [
          { ...owner(1), legal_entity_id: id },
          { legal_entity: 'Required', legal_entity_id: 'Read only' },
        ],
        [{ ...owner(1), legal_entity: { id: 'le_none' } }, { legal_entity: { id: 'Not found' } }],
      ]
      for (const [body, details] of refused) {
        const answer = await shop.ask('POST', '/legal_entity_owners', body)
        expect([answer.status, answer.body.details]).to.deep.equal([400, details])
      }
      expect(await shop.ok('POST', `/legal_entities/${id}/owners`, owner(2))).to.include({
        legal_entity_id: id,
      })
    })
  })
})
