import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { idOf, list, listOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'

describe('objects that one request contains twice', () => {
  onDatabases((open) => {
    let core: TestCore
    let processing: string
    let customer: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })
    beforeEach(async () => {
      customer = await makeCustomer(core, processing)
    })

    const IN_THE_TREE = 'Is changed further out in the same tree'

    /** An invoice with charges, and the ids of its items. */
    async function bill(amounts: readonly number[]): Promise<[invoice: JsonObject, items: string[]]> {
      const charges = amounts.map((amount) => ({ entry_type: 'charge', amount }))
      const invoice = await core.ok('POST', '/invoices', { customer_id: customer, items: charges })
      return [invoice, listOf(invoice.items).map((item) => idOf(objectOf(item)))]
    }

    async function refusal(path: string, body: Json): Promise<[number, Json | undefined]> {
      const answer = await core.send('PUT', path, body)
      return [answer.status, answer.body.details]
    }

    it('are not changed by their copy nested inside themselves', async () => {
      const [{ id = null }, [first = '', second = '']] = await bill([10, 20])
      const path = `/invoices/${id}`
      const inner = { id: second, invoice: { id, description: 'other' } }
      expect(await refusal(path, { items: [{ id: first, amount: 50 }, inner] })).to.deep.equal([
        400,
        { items: { 1: { invoice: { id: IN_THE_TREE } } } },
      ])
      expect(await refusal(`/line_items/${first}`, { amount: 70, invoice: { id, items: [] } })).to.deep.equal(
        [400, { invoice: { items: { id: IN_THE_TREE } } }],
      )
      expect(await core.ok('GET', path)).to.include({ total_due: 30, description: null })
    })

    it('can be sent back nested inside themselves', async () => {
      const [{ id = null }, [item = '']] = await bill([10])
      const path = `/invoices/${id}`
      const query = 'fields=*,items,items[invoice]'
      const whole = await core.ok('GET', path, undefined, { query })
      const [shown] = listOf(whole.items).map(objectOf)
      const changed = { ...whole, description: 'new', items: [{ ...shown, amount: 50, total: 10 }] }
      expect(await core.ok('PUT', path, changed)).to.include({ total_due: 50, description: 'new' })
      expect(await core.ok('GET', `/line_items/${item}`)).to.include({ total: 50 })
    })

    it('have one default method among them, even if a query or a tree sets the flag on several', async () => {
      const make = async (more: JsonObject = {}) =>
        idOf(await core.ok('POST', '/payment_methods', { ...card(), account_id: customer, ...more }))
      const first = await make()
      const second = await make({ default_payment_method: true })
      const isDefault = { default_payment_method: true }
      const path = `/customers/${customer}`
      const defaults = async () =>
        valuesOf(await core.ok('GET', `${path}/payment_methods`, undefined, { query: 'order_by=id' })).map(
          (method) => method.default_payment_method,
        )
      const payment_methods = [
        { id: first, ...isDefault },
        { id: second, ...isDefault },
      ]
      await core.ok('PUT', path, { payment_methods })
      expect(await defaults()).to.deep.equal([false, true])
      const query = `account_id=${customer}&mode=query`
      const changed = await core.ok('PUT', '/payment_methods', isDefault, { query })
      expect(await defaults()).to.deep.equal([false, true])
      expect(valuesOf(changed).map((method) => method.default_payment_method)).to.deep.equal([false, true])
    })

    it('can be sent back as read, even if an earlier item of the request changed them', async () => {
      const make = async (more: JsonObject) =>
        await core.ok('POST', '/payment_methods', { ...card(), account_id: customer, ...more })
      await make({ default_payment_method: false })
      await make({ default_payment_method: true })
      await core.ok('POST', '/admin/clock', { by: '1h' })
      const path = `/customers/${customer}`
      const read = async () =>
        valuesOf(await core.ok('GET', `${path}/payment_methods`, undefined, { query: 'order_by=id' }))
      const turned = (methods: readonly JsonObject[]) =>
        methods.map((method) => ({ ...method, default_payment_method: !method.default_payment_method }))
      const defaults = async () => (await read()).map((method) => method.default_payment_method)
      const whole = await core.ok('GET', path)
      await core.ok('PUT', path, { ...whole, payment_methods: turned(await read()) })
      expect(await defaults()).to.deep.equal([true, false])
      await core.ok('POST', '/admin/clock', { by: '1h' })
      await core.ok('PUT', '/payment_methods', list(turned((await read()).toReversed())))
      expect(await defaults()).to.deep.equal([false, true])
    })

    it('are answered in their final state', async () => {
      const method = { ...card(), account_id: customer, default_payment_method: true }
      const made = valuesOf(await core.ok('POST', '/payment_methods', list([method, method])))
      expect(made.map((one) => one.default_payment_method)).to.deep.equal([false, true])
    })
  })
})
