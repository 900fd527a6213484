import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import type { JsonObject } from '../../../src/schema/json.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { agree, type Behaviour, openReceiver, type Receiver } from '../../support/receiver.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

describe('delivery', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let receiver: Receiver
    let behave: Behaviour = agree
    const time = { now: Date.now() }
    const never = new AbortController().signal

    before(async () => {
      core = await openCore(open, { clock: { now: () => time.now } })
      shop = await makeProcessing(core)
      receiver = await openReceiver((received, response) => behave(received, response))
      open.atEnd(() => receiver.close())
    })

    beforeEach(() => {
      behave = agree
      receiver.received.splice(0)
    })

    const hook = async (trigger = 'payment', more: JsonObject = {}, path = '/') =>
      await core.ok('POST', '/webhooks', { trigger, url: receiver.address + path, ...more })
    const pay = async () => {
      time.now += SECOND
      return await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 12.5,
        processing_id: shop,
        payment_method: card(),
      })
    }
    const logs = async (webhook: JsonObject) =>
      valuesOf(await core.ok('GET', '/webhook_logs', undefined, { query: `webhook_id=${webhook.id}` }))
    const deliver = async () => await core.environment.deliver(never)
    const end = async (webhook: JsonObject) => await core.ok('DELETE', `/webhooks/${webhook.id}`)

    it('sends a webhook signed events that a third party can verify', async () => {
      const webhook = await hook()
      const payment = await pay()
      expect(await deliver()).to.equal(1)
      const [received] = receiver.received
      expect(JSON.parse(received?.body ?? '')).to.deep.equal({
        object: 'webhook_trigger',
        id: received?.headers['webhook-id'],
        trigger: 'payment',
        webhook_id: webhook.id,
        triggered_at: payment.created_at,
        url: webhook.url,
        triggered_on: { id: payment.id, object: 'transaction', value: 'processed' },
      })
      expect(received?.headers).to.include({ 'content-type': 'application/json' })
      const [log] = await logs(webhook)
      expect(log).to.deep.include({
        trigger: 'payment',
        url: webhook.url,
        webhook_id: webhook.id,
        http_status: 200,
        attempt: 1,
        event_id: received?.headers['webhook-id'],
        triggered_on: { id: payment.id, object: 'transaction', value: 'processed' },
      })
      expect(await deliver()).to.equal(0)
      await end(webhook)
      time.now = Date.now()
      const fresh = await hook()
      await pay()
      time.now = Date.now()
      await deliver()
      const last = receiver.received.at(-1)
      const known = new Webhook(String(fresh.secret)).verify(last?.body ?? '', last?.headers ?? {})
      expect(known).to.include({ webhook_id: fresh.id })
      await end(fresh)
    })

    it('retries by the schedule, with the same id and body, and gives up at its end', async () => {
      behave = (_received, response) => response.writeHead(500).end()
      const webhook = await hook()
      await pay()
      const steps = [
        0,
        5 * SECOND,
        5 * MINUTE,
        30 * MINUTE,
        2 * HOUR,
        5 * HOUR,
        10 * HOUR,
        14 * HOUR,
        20 * HOUR,
        24 * HOUR,
      ]
      for (const [n, step] of steps.entries()) {
        time.now += step - 1
        if (step > 0) expect(await deliver(), `early ${n}`).to.equal(0)
        time.now += step / 10 + 2
        expect(await deliver(), `attempt ${n + 1}`).to.equal(1)
      }
      time.now += 100 * HOUR
      expect(await deliver()).to.equal(0)
      expect(new Set(receiver.received.map(({ body }) => body))).to.have.length(1)
      expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).to.have.length(1)
      expect((await logs(webhook)).map(({ attempt }) => attempt)).to.deep.equal([
        10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
      ])
      await end(webhook)
    })
  })
})
