import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import { onDatabases, type Place } from '../../support/databases.js'
import { card, processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { booksSealed } from '../../support/outsider.js'

/** Milliseconds after which events are counted, with a margin. */
const COUNTED_AFTER = 12_000

onDatabases((open) => {
  describe('metrics of the service', () => {
    let place: Place
    let service: HttpService
    let now: number
    let key: string
    let account: string
    before(async () => {
      now = Date.UTC(2027, 0, 1, 12)
      place = await open.migrated()
      service = await httpService(place, { clock: { now: () => now } })
      open.atEnd(() => service.stop())
      key = await service.key({ manage: true })
      account = idOf((await service.ask(key, 'POST', '/processing_accounts', processingAccount())).body)
    })

    const request = async (secret: string) =>
      await fetch(`${service.address}/metrics`, { headers: { authorization: `Bearer ${secret}` } })

    /** Values by name and labels, as Prometheus reads them. */
    const metrics = async (secret = key): Promise<ReadonlyMap<string, number>> => {
      const response = await request(secret)
      expect(response.status).to.equal(200)
      expect(response.headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/)
      const text = await response.text()
      return new Map(
        text.split('\n').flatMap((line) => {
          const [, name, value] = /^([^#].*) (\S+)$/.exec(line) ?? []
          return name === undefined ? [] : [[name, Number(value)] as const]
        }),
      )
    }
    const events = async (trigger: string) =>
      (await metrics()).get(`payctl_events_total{trigger="${trigger}",environment="test"}`)

    const pay = async (number?: string): Promise<JsonObject> => {
      const payment = { type: 'payment', amount: 10, processing_id: account, payment_method: card(number) }
      return (await service.ask(key, 'POST', '/transactions', payment)).body
    }

    it('count each event once, ten seconds after it, even for simultaneous requests', async () => {
      expect(await events('payment')).to.equal(0)
      expect((await pay()).object).to.equal('transaction')
      expect((await pay('4111111111119903')).error_type).to.equal('TransactionDeclined')
      expect(await events('payment')).to.equal(0)
      now += COUNTED_AFTER
      await Promise.all([metrics(), metrics()])
      expect([await events('payment'), await events('decline')]).to.deep.equal([1, 1])
    })

    it('measure answers by method, resource and status, without ids', async () => {
      const found = await metrics()
      const name = 'payctl_http_request_duration_seconds_count'
      expect(found.get(`${name}{method="POST",path="/transactions",status="2xx"}`)).to.equal(1)
      expect(found.get(`${name}{method="POST",path="/transactions",status="4xx"}`)).to.equal(1)
      await service.ask(key, 'GET', `/accounts/${account}?fields=id`)
      await fetch(`${service.address}/nothing/${account}`)
      expect([...(await metrics()).keys()].filter((each) => each.includes(account))).to.deep.equal([])
    })

    it('include the length of each queue, sealed commits, items that need attention, and each gateway', async () => {
      const gateway = {
        name: 'east',
        kind: 'peer',
        base_url: 'https://192.0.2.1',
        credentials: { secret_key: 'test_secret_key_east' },
      }
      expect((await service.ask(key, 'POST', '/admin/gateways', gateway)).status).to.equal(200)
      await booksSealed(place)
      const found = await metrics()
      for (const queue of ['webhooks', 'mail', 'gateway_notifications', 'outcomes', 'exceptions'])
        expect(found.get(`payctl_waiting{queue="${queue}",environment="test"}`), queue).to.equal(0)
      expect(found.get('payctl_sealed_commits{environment="test"}')).to.be.above(0)
      expect(found.get('payctl_gateway_up{gateway="east",kind="peer",environment="test"}')).to.equal(1)
      await service.ask(key, 'PUT', '/admin/maintenance', { enabled: true })
      const during = await metrics()
      expect(during.get('payctl_attention{check="maintenance",state="warning",environment="test"}')).to.equal(
        1,
      )
      await service.ask(key, 'PUT', '/admin/maintenance', { enabled: false })
      expect([...(await metrics()).keys()].filter((each) => each.includes('"maintenance"'))).to.deep.equal([])
    })

    it('belong to the environment of the key', async () => {
      const live = await metrics(await service.key({ manage: true }, 'live'))
      expect(live.get('payctl_events_total{trigger="payment",environment="live"}')).to.equal(0)
      expect(
        [...live.keys()].filter((each) => each.includes('payctl_waiting') && each.includes('test')),
      ).to.deep.equal([])
    })

    it('are refused without a key, without manage, and with a narrowed key', async () => {
      expect((await fetch(`${service.address}/metrics`)).status).to.equal(401)
      expect((await request(await service.key())).status).to.equal(403)
      expect((await request(await service.key({ manage: true, processing_ids: [account] }))).status).to.equal(
        403,
      )
    })
  })
})
