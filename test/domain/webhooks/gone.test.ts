import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { agree, type Behaviour, openReceiver, type Receiver } from '../../support/receiver.js'

const SECOND = 1_000
/** Longer than any answer in a test, however busy the machine is. */
const TIMEOUT = 3_600 * SECOND
const LEASE = 2.5 * TIMEOUT

describe('a receiver that answers 410 after its webhook was claimed', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let receiver: Receiver
    let webhook: JsonObject
    let behave: Behaviour
    const time = { now: Date.now() }

    before(async () => {
      core = await openCore(open, { clock: { now: () => time.now }, delivery: { timeout: TIMEOUT } })
      shop = await makeProcessing(core)
      receiver = await openReceiver((received, response) => behave(received, response))
      open.atEnd(() => receiver.close())
    })

    beforeEach(async () => {
      behave = agree
      receiver.received.splice(0)
      const body = { trigger: 'payment_link:status', url: `${receiver.address}/` }
      webhook = await core.ok('POST', '/webhooks', body)
      await happen()
    })
    afterEach(async () => {
      await core.send('DELETE', `/webhooks/${webhook.id}`)
    })

    const happen = async () => {
      time.now += SECOND
      await core.ok('POST', '/payment_links', { amount: 1, description: 'A book', processing_id: shop })
    }
    const deliver = async () => await core.environment.deliver(new AbortController().signal)
    const statuses = async () => {
      const query = `webhook_id=${webhook.id}`
      const logs = valuesOf(await core.ok('GET', '/webhook_logs', undefined, { query }))
      return logs.map(({ http_status }) => http_status)
    }
    /** Answers the first request with 410, after running `happening`. */
    const goneAfter = (happening: () => Promise<unknown>) => {
      behave = (_received, response) => {
        behave = agree
        const answer = (status: number) => response.writeHead(status).end()
        void happening().then(
          () => answer(410),
          () => answer(500),
        )
      }
    }

    it('causes no failure if the webhook was deleted', async () => {
      goneAfter(async () => await core.ok('DELETE', `/webhooks/${webhook.id}`))
      expect(await deliver()).to.equal(1)
      expect(await statuses()).to.deep.equal([410])
      time.now += LEASE
      expect(await deliver()).to.equal(0)
    })

    it('does not disable a webhook whose address has changed', async () => {
      const url = `${receiver.address}/new`
      goneAfter(async () => await core.ok('PUT', `/webhooks/${webhook.id}`, { url }))
      expect(await deliver()).to.equal(1)
      expect(await statuses()).to.deep.equal([410])
      await happen()
      expect(await deliver()).to.equal(1)
      expect(receiver.received.map(({ path }) => path)).to.deep.equal(['/', '/new'])
    })

    it('does not disable a webhook whose delivery another process has claimed', async () => {
      const { write } = core.environment.core
      // If the clock moved beyond the lease, this process could claim the delivery again.
      const claimed = { lease: 'of another process', due_at: time.now + LEASE }
      goneAfter(
        async () =>
          await write(({ tx: { db } }) =>
            db.updateTable('deliveries').set(claimed).where('waiting', '=', String(webhook.id)).execute(),
          ),
      )
      expect(await deliver()).to.equal(1)
      expect(await statuses()).to.deep.equal([410])
      time.now += LEASE
      expect(await deliver()).to.equal(1)
      expect(await statuses()).to.have.members([200, 410])
    })
  })
})
