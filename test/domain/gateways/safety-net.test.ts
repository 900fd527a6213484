import { expect } from 'chai'
import {
  checkNotifications,
  checkPublicAddress,
} from '../../../src/installation/checks/notification-checks.js'
import { unknownOutcomes } from '../../../src/installation/checks/unknown-outcomes.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe('the monitoring of a gateway in live', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account(null)
    })

    const live = async () => await shop.core.app.environment('live')
    const attention = async () => {
      const { lines } = await shop.ok('GET', '/admin/status')
      return (Array.isArray(lines) ? lines : []).map((line) => JSON.stringify(line))
    }
    const about = async (check: string) => (await attention()).filter((line) => line.includes(check))
    const pay = (amount: number) =>
      shop.send('POST', '/transactions', {
        type: 'payment',
        amount,
        processing_id: account,
        payment_method: card(),
      })

    it('warns of a gateway without a secret for its notifications, until a secret is stored', async () => {
      expect(await about('no secret')).to.deep.equal([])
      await shop.ok('POST', '/admin/gateways', {
        name: 'second',
        kind: 'stripe',
        base_url: shop.server.address,
        credentials: { secret_key: 'sk_test_51known' },
      })
      const [line = ''] = await about('no secret')
      expect(line)
        .to.include('gateways second')
        .and.include('payctl gateways update second --endpoint --env live')
      const [second] = await shop.list('/admin/gateways', 'name=second')
      await shop.ok('POST', `/admin/gateways/${String(second?.id)}/endpoint`, {})
      expect(await about('no secret')).to.deep.equal([])
    })

    it('warns if payments were taken for a day without a notification, until a notification comes', async () => {
      await shop.wait(25)
      await shop.pay(account, 10)
      const notices = async () =>
        (await (await live()).core.read(({ tx }) => checkNotifications(tx, 'live', shop.time.now))).map(
          ({ found }) => found,
        )
      expect(await notices()).to.deep.equal(['took 1 payments within a day, and has notified of none'])
      expect(await about('has notified of none')).to.have.lengthOf(1)
      const [intent] = shop.server.books.intents
      await shop.say('payment_intent.succeeded', intent ?? {})
      expect(await notices()).to.deep.equal([])
      await shop.wait(26)
      expect(await notices()).to.deep.equal([])
      await shop.pay(account, 11)
      expect(await notices()).to.have.lengthOf(1)
    })

    it('warns of a public address that only this machine can reach', async () => {
      expect(await about('public address')).to.have.lengthOf(1)
      const found = async (address: string) =>
        await (await live()).core.read(({ tx }) => checkPublicAddress(tx, 'live', address))
      for (const address of ['http://127.0.0.1:4242', 'http://localhost:80', 'http://[::1]:4242'])
        expect(await found(address), address).to.have.lengthOf(1)
      expect(await found('https://pay.example.com')).to.deep.equal([])
    })

    it('reports outcomes that are unknown for five minutes, with the cause', async () => {
      shop.server.trouble('POST /v1/payment_intents', 'error_before')
      expect((await pay(10)).body).to.include({ status: 'processing' })
      const checked = async () =>
        await (await live()).core.read(({ tx }) => unknownOutcomes(tx, 'live', shop.time.now))
      shop.time.now += 4 * MINUTE
      expect(await checked()).to.include({ state: 'ok' })
      shop.time.now += 2 * MINUTE
      const warned = await checked()
      expect(warned.state).to.equal('warning')
      expect(warned.found).to.include('1 outcome is unknown').and.include('cards has not said yet')
      const { noteCause } = await import('../../../src/domain/gateways/note-problem.js')
      await (await live()).core.write((work) =>
        noteCause(work, shop.gatewayId, {
          scope: 'unreachable',
          subject: '',
          problem: 'ECONNREFUSED',
          noticedAt: work.realMilliseconds,
        }),
      )
      shop.time.now += HOUR
      const failed = await checked()
      expect(failed.state).to.equal('failed')
      expect(failed.found).to.include('cards ECONNREFUSED')
    })

    it('counts outages separately from declines', async () => {
      expect(
        (
          await shop.send('POST', '/transactions', {
            type: 'payment',
            amount: 11,
            processing_id: account,
            payment_method: card('4000000000000002'),
          })
        ).status,
      ).to.equal(400)
      shop.server.trouble('POST /v1/payment_intents', 'too_many')
      expect((await pay(10)).status).to.equal(503)
      expect(await about('did not reach a bank')).to.have.lengthOf(1)
      const { totals } = await shop.ok(
        'GET',
        '/admin/reports/summary',
        undefined,
        'from=2030-01-01&to=2030-01-31',
      )
      expect(totals).to.include({ declined: 1, outages: 1 })
    })
  })
})
