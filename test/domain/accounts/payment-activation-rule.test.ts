import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { narrowed } from '../../engine/core/merchants.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { eventsOf } from '../payments/books.js'

const START = Date.UTC(2026, 10, 21, 12)
const TOMORROW = '2026-11-22 12:00:00'

describe('payment activations', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let customer: string

    beforeEach(async () => {
      core = await openCore(open, { clock: { now: () => START } })
      shop = await makeProcessing(core)
      customer = await makeCustomer(core, shop)
    })

    const make = async (body: JsonObject = {}) =>
      await core.ok('POST', '/payment_activations', { customer_id: customer, ...body })
    const put = async (activation: JsonObject, body: JsonObject) =>
      await core.send('PUT', `/payment_activations/${idOf(activation)}`, body)
    const refused = async (activation: JsonObject, body: JsonObject) => {
      const answer = await put(activation, body)
      expect(answer.status, JSON.stringify(answer.body)).to.equal(400)
      return answer.body.details
    }
    const makeMethod = async (account_id = customer, more: JsonObject = {}) =>
      idOf(await core.ok('POST', '/payment_methods', { ...card(), account_id, ...more }))
    const defaults = async () => {
      const query = `account_id=${customer}&default_payment_method=true`
      return valuesOf(await core.ok('GET', '/payment_methods', undefined, { query })).map(idOf)
    }

    it('are pending and belong to the account that the customer pays', async () => {
      const made = await make({ email: 'ada@example.com' })
      expect(made).to.include({
        object: 'payment_activation',
        status: 'pending',
        processing_id: shop,
        payment_method_id: null,
      })
      expect(await eventsOf(core, idOf(made))).to.deep.equal(['payment_activation:status pending'])
    })

    it('are activated with a method of the customer, which becomes the default', async () => {
      const made = await make({ expires_at: TOMORROW })
      const method = await makeMethod()
      const { status, body } = await put(made, { payment_method_id: method })
      expect([status, body.status, body.payment_method_id]).to.deep.equal([200, 'activated', method])
      expect(await defaults()).to.deep.equal([method])
      expect(await eventsOf(core, idOf(made))).to.deep.equal([
        'payment_activation:status pending',
        'payment_activation:status activated',
      ])
    })

    it('are activated with a new method, and leave an existing default', async () => {
      const first = await makeMethod(customer, { default_payment_method: true })
      const { body } = await put(await make(), { payment_method: card('5555 5555 5555 4444') })
      expect(body.status).to.equal('activated')
      const shown = await core.ok('GET', `/payment_activations/${body.id}/payment_method`)
      expect(shown).to.include({ account_id: customer, default_payment_method: false })
      expect(await defaults()).to.deep.equal([first])
    })

    it('accept the method as an object with its id, too', async () => {
      const method = await makeMethod()
      const { body } = await put(await make(), { status: 'activated', payment_method: { id: method } })
      expect([body.status, body.payment_method_id]).to.deep.equal(['activated', method])
    })

    it("refuse a method that is not the customer's or cannot be charged again", async () => {
      const made = await make()
      const stranger = await makeMethod(await makeCustomer(core, shop, 'Eve'))
      const cases: [JsonObject, JsonObject][] = [
        [{ payment_method_id: stranger }, { payment_method_id: 'Belongs to another account' }],
        [{ payment_method: { id: stranger } }, { payment_method_id: 'Belongs to another account' }],
        [{ payment_method_id: 'pm_nobody' }, { payment_method_id: 'Not found' }],
        [
          { payment_method_id: await makeMethod(customer, { keep_active: false }) },
          { payment_method_id: 'Was used once and not saved' },
        ],
        [
          { payment_method: { ...card(), keep_active: false } },
          { payment_method: { keep_active: 'Must be true' } },
        ],
        [
          { payment_method: { ...card(), account_id: shop } },
          { payment_method: { account_id: 'Belongs to another account' } },
        ],
        [
          { payment_method: card(), payment_method_id: stranger },
          { payment_method: 'Must not be sent with payment_method_id' },
        ],
        [
          { payment_method: { type: 'card' } },
          { payment_method: { card: { card_number: 'Required', expiry: 'Required' } } },
        ],
      ]
      for (const [body, details] of cases)
        expect(await refused(made, body), JSON.stringify(body)).to.deep.equal(details)
      expect(await core.ok('GET', `/payment_activations/${made.id}`)).to.deep.equal(made)
    })

    it('can be canceled, which is final', async () => {
      const made = await make()
      const { body } = await put(made, { status: 'canceled' })
      expect(body.status).to.equal('canceled')
      const method = await makeMethod()
      const cases: [JsonObject, JsonObject][] = [
        [{ status: 'pending' }, { status: 'Cannot change from canceled to pending' }],
        [{ status: 'activated' }, { status: 'Cannot change from canceled to activated' }],
        [
          { payment_method_id: method },
          { payment_method_id: 'Only a pending activation takes one, this is canceled' },
        ],
      ]
      for (const [asked, details] of cases) expect(await refused(made, asked)).to.deep.equal(details)
      expect((await put(made, { status: 'canceled', description: 'no' })).body.description).to.equal('no')
      expect(await eventsOf(core, idOf(made))).to.have.length(2)
    })

    it('allow no other change of status', async () => {
      const made = await make()
      const cases: [JsonObject, JsonObject][] = [
        [{ status: 'activated' }, { payment_method_id: 'Required' }],
        [{ status: 'expired' }, { status: 'Cannot change from pending to expired' }],
        [{ status: null }, { status: 'Required' }],
        [
          { status: 'canceled', payment_method_id: await makeMethod() },
          { status: 'Cannot change from pending to canceled' },
        ],
      ]
      for (const [asked, details] of cases) expect(await refused(made, asked)).to.deep.equal(details)
      const { body } = await put(made, { payment_method: card() })
      for (const other of [{ payment_method_id: await makeMethod() }, { payment_method_id: null }])
        expect(await refused(made, other)).to.deep.equal({ payment_method_id: 'Read only' })
      expect(await refused(made, { payment_method: card() })).to.deep.equal({ payment_method: 'Read only' })
      const { created_at, modified_at, ...sent } = objectOf(body)
      expect((await put(made, sent)).body.status).to.equal('activated')
    })

    it('expire on time, and then accept no method', async () => {
      const made = await make({ expires_at: TOMORROW })
      const open = await make()
      const { done } = await core.ok('POST', '/admin/clock', { by: '2d' })
      expect(done).to.deep.equal([{ at: TOMORROW, job: 'expire_payment_activations', count: 1 }])
      const read = (activation: JsonObject) => core.ok('GET', `/payment_activations/${idOf(activation)}`)
      expect([(await read(made)).status, (await read(open)).status]).to.deep.equal(['expired', 'pending'])
      expect(await eventsOf(core, idOf(made))).to.deep.equal([
        'payment_activation:status pending',
        'payment_activation:status expired',
      ])
      expect(await refused(made, { payment_method: card() })).to.deep.equal({
        payment_method_id: 'Only a pending activation takes one, this is expired',
      })
      expect(await refused(open, { expires_at: TOMORROW })).to.deep.equal({
        expires_at: 'Must be in the future',
      })
    })

    it('are refused after their expiry, even before it is recorded', async () => {
      const made = await make({ expires_at: TOMORROW })
      await core.ok('PUT', '/admin/clock', { now: '2026-11-23 00:00:00' })
      expect(await refused(made, { payment_method: card() })).to.deep.equal({ expires_at: 'Expired' })
    })

    it('are created with a customer only', async () => {
      const cases: [JsonObject, JsonObject][] = [
        [{ customer_id: 'acct_nobody' }, { customer_id: 'Not found' }],
        [{ customer_id: null }, { customer_id: 'Required' }],
        [{ status: 'activated' }, { status: 'Must be one of: pending' }],
        [{ payment_method_id: await makeMethod() }, { payment_method_id: 'Is given by an update' }],
        [{ payment_method: card() }, { payment_method: 'Is given by an update' }],
        [{ customer: { name: 'Eve' } }, { customer: 'Must not be sent with customer_id' }],
        [{ expires_at: '2026-11-21 12:00:00' }, { expires_at: 'Must be in the future' }],
      ]
      for (const [body, details] of cases) {
        const answer = await core.send('POST', '/payment_activations', { customer_id: customer, ...body })
        expect([answer.status, answer.body.details], JSON.stringify(body)).to.deep.equal([400, details])
      }
    })

    it('keep their customer, in whatever form a request names another customer', async () => {
      const made = await make()
      const eve = await makeCustomer(core, shop, 'Eve')
      expect(await refused(made, { customer_id: eve })).to.deep.equal({ customer_id: 'Read only' })
      expect(await refused(made, { customer: { id: eve } })).to.deep.equal({ customer: 'Read only' })
      expect(await refused(made, { customer: { name: 'Eve' } })).to.deep.equal({ customer: 'Read only' })
      expect((await put(made, { customer: { id: customer, name: 'Ada' } })).status).to.equal(200)
    })

    it('of a narrowed key belong to its account, and need a grant for a new method', async () => {
      const other = await makeProcessing(core)
      const nobodys = idOf(await core.ok('POST', '/customers', { name: 'Eve' }))
      const send = async (body: JsonObject, principal = narrowed(shop)) =>
        await core.send('POST', '/payment_activations', { customer_id: customer, ...body }, { principal })
      expect((await send({})).body.processing_id).to.equal(shop)
      expect((await send({ processing_id: other })).status).to.equal(403)
      expect((await send({ customer_id: nobodys })).body.details).to.deep.equal({ customer_id: 'Not found' })
      const made = await make()
      const principal = { ...narrowed(shop), grants: { payment_activations: ['PUT'] } } as const
      const path = `/payment_activations/${idOf(made)}`
      const lacking = await core.send('PUT', path, { payment_method: card() }, { principal })
      expect([lacking.status, lacking.body.error_description]).to.deep.equal([
        403,
        'The key may not POST /payment_methods',
      ])
    })
  })
})
