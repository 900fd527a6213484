import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

const MINUTE = 60_000

describe('a gateway that goes live', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account(null)
    })

    const act = (action: string) => shop.send('POST', `/admin/gateways/${shop.gatewayId}/${action}`, {})
    const shown = () => shop.ok('GET', `/admin/gateways/${shop.gatewayId}`)
    const pay = (payment_method: JsonObject) =>
      shop.send('POST', '/transactions', {
        type: 'payment',
        amount: 10,
        processing_id: account,
        payment_method,
      })
    const token = (id: string) => ({ type: 'card', gateway_token: { gateway: 'cards', token: id } })
    const attention = async () => {
      const { lines } = await shop.ok('GET', '/admin/status')
      return JSON.stringify(lines)
    }
    const live = async () => await shop.core.app.environment('live')

    it('is reported as accepting no typed card numbers until a test finds that it accepts them', async () => {
      shop.server.books.takesNumbers = false
      expect((await pay(card())).status).to.equal(503)
      const { id } = shop.server.books.createMethod(new Map([['type', 'card']]))
      expect((await pay(token(id))).status).to.equal(200)
      const tested = await act('test')
      expect(tested.body.checks).to.deep.include({
        name: 'card numbers',
        state: 'unavailable',
        found:
          'It takes no typed card numbers, only tokens: 402: Sending credit card numbers directly to the Stripe API is generally unsafe. (req_1)',
      })
      expect(tested.body.problem).to.match(/^This gateway takes no typed card numbers: /)
      expect(await attention()).to.include('takes no typed card numbers')
      shop.server.books.takesNumbers = true
      expect((await act('test')).body.problem).to.equal(null)
      expect(await attention()).to.not.include('takes no typed card numbers')
      expect((await pay(card())).status).to.equal(200)
    })

    it('shows the latest problem: a refused key replaces a failed connection', async () => {
      const { core } = await live()
      const { noteCause } = await import('../../../src/domain/gateways/note-problem.js')
      const note = (scope: 'gateway' | 'unreachable', problem: string) =>
        core.write((work) =>
          noteCause(work, shop.gatewayId, {
            scope,
            subject: '',
            problem,
            noticedAt: work.realMilliseconds,
          }),
        )
      await note('unreachable', 'It is not reached')
      expect((await shown()).problem).to.equal('It is not reached')
      await note('gateway', '401: Invalid API Key')
      expect((await shown()).problem).to.equal('401: Invalid API Key')
      expect((await act('test')).body).to.include({ problem: null, circuit_opened_at: null })
    })

    it('stores the secret of its notification endpoint, even if an earlier attempt crashed', async () => {
      const endpoints = shop.server.endpoints
      const address = String((await shown()).notifications_url)
      // A process crashed after it created this endpoint and before the commit.
      endpoints.create(
        new Map([
          ['url', address],
          ['enabled_events[0]', '*'],
        ]),
      )
      expect((await act('test')).body.problem).to.equal(null)
      const { status, body } = await act('endpoint')
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(endpoints.list.map(({ id, url }) => [id, url])).to.deep.equal([['we_2', address]])
      const payment = await shop.pay(account, 10)
      const [intent] = shop.server.books.intents
      const said = shop.server.notification('payment_intent.succeeded', intent ?? {}, {
        secret: endpoints.secrets.get('we_2') ?? '',
      })
      expect(await shop.core.app.receiveNotification({ id: shop.gatewayId, ...said })).to.equal('stored')
      expect(await shop.read(payment)).to.include({ status: 'processed' })
      expect(JSON.stringify(await shown())).to.not.include('whsec_')
      expect((await shown()).notified_at).to.be.a('string')
    })

    it('is polled for events without a notification, and each poll continues where the last one ended', async () => {
      await (await (await live()).atGateway('cards')).pollEvents()
      const payment = await shop.pay(account, 10)
      const [intent] = shop.server.books.intents
      if (!intent) throw new Error('There is no payment')
      // The server stores this event, but the test does not deliver its notification.
      shop.server.notification('charge.dispute.created', shop.server.books.dispute(intent.id))
      shop.time.now += 5 * MINUTE
      await (await live()).reconcile(0)
      expect(await shop.read(payment)).to.include({ status: 'processed' })
      shop.time.now += 6 * MINUTE
      for (let times = 0; times < 2; times++) await (await live()).reconcile(0)
      expect(await shop.read(payment)).to.include({ status: 'rejected' })
      const list = await shop.list('/admin/gateway_notifications')
      expect(list.map(({ type, status }) => `${type} ${status}`)).to.deep.equal([
        'charge.dispute.created handled',
      ])
      expect(shop.server.requests.filter(({ call }) => call === 'GET /v1/events')).to.have.lengthOf(2)
    })
  })
})
