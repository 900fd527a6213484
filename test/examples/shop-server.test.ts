import { expect } from 'chai'
import { paymentService } from '../../examples/shop-server/payment-service.js'
import { type Shop, serveShop } from '../../examples/shop-server/serve-shop.js'
import type { Json, JsonObject } from '../../src/schema/json.js'
import { idOf, listOf, objectOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { card, processingAccount } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'

/** Tests the server of the example shops with pages that send false data. */
describe('the server of the example shops', () => {
  onSqlite((open) => {
    let service: HttpService
    let key: string
    let shop: Shop
    let account: string

    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      key = await service.key({ manage: true })
      account = idOf((await service.ask(key, 'POST', '/processing_accounts', processingAccount())).body)
      shop = await serveShop({ name: 'plain-shop', service: paymentService(service.address, key), port: 0 })
      open.atEnd(() => shop.close())
    })

    /** Sends a request like the shop's page. */
    const ask = async (method: string, path: string, body?: object, origin = shop.origin) => {
      const headers = { 'content-type': 'application/json', origin }
      const sent = body && { body: JSON.stringify(body) }
      const response = await fetch(shop.origin + path, { method, headers, ...sent })
      const answer: JsonObject = JSON.parse(await response.text())
      return { status: response.status, body: answer }
    }
    const order = async (quantity = 1) => {
      const { body } = await ask('POST', '/orders', { item: 'coffee', quantity })
      return { number: String(body.number), amount: Number(body.amount), clientKey: String(body.clientKey) }
    }
    /** Sends a payment to the service with a key, like the page or another client. */
    const pay = async (by: string, amount: number, more: JsonObject = {}) => {
      const body = { type: 'payment', amount, payment_method: card(), ...more }
      const answer = await service.ask(by, 'POST', '/transactions', body)
      return { ...answer, id: String(answer.body.id) }
    }
    const report = (number: string, id: string) =>
      ask('POST', `/orders/${number}/payment`, { transaction_id: id })
    const stored = async (id: string) => (await service.ask(key, 'GET', `/transactions/${id}`)).body

    it('sets the price itself, and captures the payment of this amount', async () => {
      const { number, amount, clientKey } = await order(2)
      expect(amount).to.equal(29.98)
      const { id, body } = await pay(clientKey, amount)
      expect(body).to.include({ status: 'authorized', order_number: number, processing_id: account })
      expect((await report(number, id)).body).to.include({ number, isPaid: true })
      expect(await stored(id)).to.include({ status: 'processed', amount: 29.98 })
      // The page may send its report again.
      expect((await report(number, id)).body).to.include({ isPaid: true })
    })

    it('gives a client key that allows no other amount, account or order, and no capture', async () => {
      const { amount, clientKey } = await order()
      const lies: JsonObject[] = [
        { amount: 1 },
        { order_number: 'A-1' },
        { processing_id: 'acct_0V8c' },
        { status: 'processed' },
      ]
      for (const lie of lies) {
        const { status } = await pay(clientKey, amount, lie)
        expect(status, JSON.stringify(lie)).to.equal(403)
      }
      const before = { method: 'POST', body: JSON.stringify({ type: 'payment', amount }) }
      const headers = { authorization: `Bearer ${clientKey}`, 'content-type': 'application/json' }
      const elsewhere = { ...headers, origin: 'https://copied.example' }
      const answer = await fetch(`${service.address}/transactions`, { ...before, headers: elsewhere })
      expect(answer.status).to.equal(403)
    })

    it('refuses a payment of another type, status, amount, account or order', async () => {
      const { number, amount } = await order()
      const whole = { order_number: number, processing_id: account, status: 'authorized' }
      const paid = await pay(key, amount, { ...whole, status: 'processed' })
      const refund = await service.ask(key, 'POST', '/transactions', {
        type: 'refund',
        amount,
        ledger: [{ assoc_transaction_id: paid.id }],
      })
      const voided = await pay(key, amount, whole)
      await service.ask(key, 'PUT', `/transactions/${voided.id}`, { status: 'voided' })
      const other = await service.ask(key, 'POST', '/processing_accounts', processingAccount('Other'))
      const lies: [string, string][] = [
        [idOf(refund.body), 'It is a refund'],
        [voided.id, 'It is voided'],
        [(await pay(key, 1, whole)).id, 'It is of 1'],
        [
          (await pay(key, amount, { ...whole, processing_id: idOf(other.body) })).id,
          'It pays another account',
        ],
        [(await pay(key, amount, { ...whole, order_number: 'A-1' })).id, 'It pays another order'],
        ['txn_0V8c', 'There is no such payment'],
        ...['../keys', '..', '.', '', '?type=payment', '\ud800'].map((id): [string, string] => [
          id,
          'There is no such payment',
        ]),
      ]
      for (const [id, problem] of lies)
        expect(await report(number, id), problem).to.deep.equal({ status: 409, body: { problem } })
    })

    it('uses a payment for one order only', async () => {
      const [first, second] = [await order(), await order()]
      const { id } = await pay(first.clientKey, first.amount)
      expect((await report(second.number, id)).body).to.deep.equal({ problem: 'It pays another order' })
      expect((await report(first.number, id)).body).to.include({ isPaid: true })
    })

    it('releases the second payment of an order, and captures the first one once', async () => {
      const { number, amount, clientKey } = await order()
      const [first, second] = [await pay(clientKey, amount), await pay(clientKey, amount)]
      const reports = await Promise.all([first, first, second].map(({ id }) => report(number, id)))
      expect(reports.map(({ status }) => status)).to.deep.equal([200, 200, 409])
      expect(await stored(first.id)).to.include({ status: 'processed' })
      expect(await stored(second.id)).to.include({ status: 'voided' })
    })

    it('finds a payment that the page has not reported', async () => {
      const { number, amount, clientKey } = await order()
      const { id } = await pay(clientKey, amount)
      expect((await ask('GET', `/orders/${number}`)).body).to.include({ isPaid: true })
      expect(await stored(id)).to.include({ status: 'processed' })
    })

    it('answers 404 to pages of other sites and for unknown orders, and 400 to invalid orders', async () => {
      const item = { item: 'coffee', quantity: 1 }
      const answers = [
        ask('POST', '/orders', item, 'https://evil.example'),
        ask('GET', '/orders/A-1'),
        ask('POST', '/orders/A-1/refund', {}),
      ]
      expect((await Promise.all(answers)).map(({ status }) => status)).to.deep.equal([404, 404, 404])
      const lies = [
        { item: 'car', quantity: 1 },
        { item: 'mug', quantity: -1 },
        { item: 'mug', quantity: '0x5' },
        { item: ['mug'], quantity: 1 },
        { item: 'mug', quantity: 21 },
        { item: 'mug' },
        { item: 'mug', quantity: 1, more: 'x'.repeat(10_000) },
      ]
      for (const lie of lies) expect((await ask('POST', '/orders', lie)).status).to.equal(400)
    })

    it('leaves no authorization of its orders, and correct books', async () => {
      const { body } = await service.ask(key, 'GET', '/transactions?status=authorized&fields=amount')
      const left: Json[] = listOf(body.values).map((value) => objectOf(value).amount ?? null)
      // Authorizations from the tests with false reports, which belong to no order.
      expect(left).to.have.members([1, 14.99, 14.99])
      expect((await service.ask(key, 'GET', '/admin/verify')).body.findings).to.deep.equal([])
    })
  })
})
