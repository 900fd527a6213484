import { expect } from 'chai'
import { openApp } from '../../../src/app.js'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeCustomer, makeProcessing } from '../../support/examples.js'
import { type OperatorsWorld, operatorsWorld, refundOf, refusal } from './operators-world.js'

describe('limits of an operator', () => {
  onDatabases((open) => {
    let world: OperatorsWorld
    let core: TestCore
    let shop: string
    before(async () => {
      world = await operatorsWorld(open)
      core = world.core
      shop = world.shop
    })
    const person: OperatorsWorld['person'] = async (...given) => await world.person(...given)
    const as: OperatorsWorld['as'] = (principal) => world.as(principal)
    const payment: OperatorsWorld['payment'] = (...given) => world.payment(...given)
    const taken: OperatorsWorld['taken'] = async (...given) => await world.taken(...given)

    it('apply to the money of one request', async () => {
      const cashier = as(await person('cashier', { limit_each: 20 }))
      const beyond = 'The limit of a request is 20.00, and this is 20.01'
      expect((await cashier('POST', '/transactions', payment(20))).status).to.equal(200)
      expect(refusal(await cashier('POST', '/transactions', payment(20.01)))).to.equal(beyond)
      const list = await cashier('POST', '/transactions', [payment(10), payment(10.01)])
      expect(refusal(list)).to.equal(beyond)
      const large = await taken(20.01, { status: 'authorized' })
      expect(refusal(await cashier('POST', `/transactions/${large}/capture`, {}))).to.equal(beyond)
      expect(refusal(await cashier('PUT', `/transactions/${large}`, { status: 'voided' }))).to.equal(beyond)
      expect((await cashier('POST', `/transactions/${large}/capture`, { amount: 20 })).status).to.equal(200)
      const query = { query: 'mode=query&status=authorized' }
      expect(refusal(await cashier('PUT', '/transactions', { status: 'voided' }, query))).to.contain(
        'the amount of void is unknown',
      )
      const batch = { id: 'limited.csv', as: 'payment', content: 'x', rows: 2 }
      await cashier('POST', '/admin/batches', batch)
      const rows = [payment(20), payment(20.01)].map((body, index) => ({ row: index + 2, body }))
      const { body } = await cashier('POST', '/admin/batches/rows', { id: batch.id, as: batch.as, rows })
      expect(JSON.stringify(body.rows)).to.contain(beyond).and.to.contain('"status":"done"')
    })

    it('apply to the money of one day of the organization', async () => {
      const own = await openCore(open)
      await own.ok('POST', '/orgs', {
        name: 'Corner Books',
        industry: 'books',
        org_type: 'business',
        timezone: 'America/New_York',
      })
      const store = await makeProcessing(own)
      const ada = { name: 'Ada', email: 'ada@example.com', role: 'cashier', limit_day: 50 }
      const id = idOf(await own.ok('POST', '/admin/operators', ada))
      const limits = { each: null, day: 5000 }
      const principal: Principal = { kind: 'operator', id, role: 'cashier', manage: false, limits }
      const send = async (method: Method, path: string, body: JsonObject | JsonObject[]) =>
        await own.send(method, path, body, { principal })
      const pay = async (amount: number, more: JsonObject = {}) =>
        await send('POST', '/transactions', { ...payment(amount, more), processing_id: store })
      const moveTo = async (datetime: string) => await own.ok('POST', '/admin/clock', { to: datetime })
      await moveTo('2030-07-01 12:00:00')

      const held = await pay(30, { status: 'authorized' })
      expect(held.status).to.equal(200)
      expect(refusal(await pay(20.01))).to.equal(
        'The limit of a day is 50.00: 30.00 was moved today, and this is 20.01',
      )
      // A declined payment does not count.
      expect((await pay(15, { payment_method: card('4111111111119903') })).status).to.equal(400)
      expect((await pay(20)).status).to.equal(200)
      // A payment of today has been counted, so capturing or voiding it adds no amount.
      const second = `/transactions/${idOf(held.body)}`
      expect(refusal(await send('POST', `${second}/capture`, { amount: 30 }))).to.match(/^200 /)
      expect((await pay(0.01)).status).to.equal(403)
      expect(refusal(await send('PUT', second, { status: 'voided' }))).to.match(/^200 /)
      // A voided payment is subtracted again.
      expect((await pay(30)).status).to.equal(200)
      // A payment taken by another operator counts when this operator refunds or voids it.
      const others = idOf(await own.ok('POST', '/transactions', { ...payment(1), processing_id: store }))
      expect(refusal(await send('PUT', `/transactions/${others}`, { status: 'voided' }))).to.contain(
        '50.00 was moved',
      )
      expect(refusal(await send('POST', '/transactions', refundOf(others, 1)))).to.contain('50.00 was moved')
      // Midnight in New York is 04:00 UTC in July.
      await moveTo('2030-07-02 03:59:59')
      expect((await pay(1)).status).to.equal(403)
      await moveTo('2030-07-02 04:00:00')
      expect((await pay(50)).status).to.equal(200)
      expect((await pay(0.01)).status).to.equal(403)
    })

    it('refuse requests with money in nested objects, which limits do not count', async () => {
      const limited = as(await person('manager', { limit_day: 50 }))
      const customer = await makeCustomer(core, shop)
      const items: JsonObject[] = [
        { entry_type: 'charge', amount: 5 },
        { entry_type: 'payment', amount: 5, payment: payment(5, { customer_id: customer }) },
      ]
      const invoice = { processing_id: shop, customer_id: customer, items }
      const reason =
        'There is a limit of what may be moved, which counts /transactions only where it is sent by itself'
      expect(refusal(await limited('POST', '/invoices', invoice))).to.equal(reason)
      expect(refusal(await limited('POST', '/receipts', { transaction: payment(5) }))).to.equal(reason)
      expect((await as(await person('manager'))('POST', '/invoices', invoice)).status).to.equal(200)
      expect((await limited('POST', '/transactions', payment(5))).status).to.equal(200)
    })

    it('cannot be exceeded by two simultaneous requests', async () => {
      const ada = await person('cashier', { limit_day: 50 })
      const cashier = as(ada)
      const answers = await Promise.all([1, 2, 3, 4].map(() => cashier('POST', '/transactions', payment(20))))
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 200, 403, 403])
    })

    it('cannot be exceeded through two processes', async () => {
      const report = (error: unknown) => expect.fail(String(error))
      const second = openApp({ ...core.place, report })
      open.atEnd(() => second.close())
      const principal = await person('cashier', { limit_day: 50 })
      const cores = [core.environment.core, (await second.environment('test')).core]
      const answers = await Promise.all(
        [...cores, ...cores].map((one) =>
          one.handle({ method: 'POST', path: '/transactions', body: payment(20), principal }),
        ),
      )
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 200, 403, 403])
    })

    it('count a repeated request once and repeat its answer', async () => {
      const cashier = as(await person('cashier', { limit_day: 50 }))
      const body = payment(30)
      const first = await cashier('POST', '/transactions', body, { idempotencyKey: 'once' })
      const again = await cashier('POST', '/transactions', body, { idempotencyKey: 'once' })
      expect(again.body.id).to.equal(first.body.id)
      expect((await cashier('POST', '/transactions', payment(20))).status).to.equal(200)
    })
  })
})
