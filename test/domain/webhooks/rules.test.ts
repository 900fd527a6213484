import { expect } from 'chai'
import { Webhook } from 'standardwebhooks'
import { claimDeliveries } from '../../../src/domain/webhooks/claim-deliveries.js'
import { deleteOldLogs } from '../../../src/domain/webhooks/delete-old-logs.js'
import { fanOutEvents } from '../../../src/domain/webhooks/fan-out-events.js'
import { resources } from '../../../src/resources/resource-table.js'
import { digitsOfTime } from '../../../src/schema/id-time.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { narrowed } from '../../engine/core/merchants.js'
import { idOf, openCore, type SendOptions, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { agree, type Behaviour, openReceiver, type Receiver } from '../../support/receiver.js'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** Longer than any answer in a test, however busy the machine is. */
const TIMEOUT = HOUR
const LEASE = 2.5 * TIMEOUT

describe('webhook delivery', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let other: string
    let receiver: Receiver
    let behave: Behaviour
    let time: { now: number }
    const options = () => ({
      clock: { now: () => time.now },
      delivery: { timeout: TIMEOUT, concurrency: { total: 8, each: 2 } },
    })

    beforeEach(async () => {
      behave = agree
      time = { now: Date.now() }
      core = await openCore(open, options())
      shop = await makeProcessing(core)
      other = await makeProcessing(core)
      const opened = await openReceiver((received, response) => behave(received, response))
      open.atEnd(() => opened.close())
      receiver = opened
    })

    const hook = async (more: JsonObject = {}, asked: SendOptions = {}) => {
      const body = { trigger: 'payment_link:status', url: `${receiver.address}/`, ...more }
      return await core.ok('POST', '/webhooks', body, asked)
    }
    const happen = async (processing_id = shop, count = 1) => {
      time.now += SECOND
      const link = { amount: 1, description: 'A book', processing_id }
      await core.ok(
        'POST',
        '/payment_links',
        Array.from({ length: count }, () => link),
      )
    }
    const deliver = async (by = core) =>
      await (await by.app.environment('test')).deliver(new AbortController().signal)
    const paths = () => receiver.received.map(({ path }) => path).sort()
    const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])
    const statuses = async (webhook: JsonObject) => {
      const query = 'fields=*,logs'
      const { logs } = await core.ok('GET', `/webhooks/${webhook.id}`, undefined, { query })
      return Array.isArray(logs) ? logs.map((log) => Object(log).http_status) : []
    }

    it('skips events from before the webhook was created, of other triggers, or while disabled', async () => {
      await happen()
      const webhook = await hook()
      await hook({ trigger: 'refund' })
      expect(await deliver()).to.equal(0)
      await core.ok('PUT', `/webhooks/${webhook.id}`, { status: 'disabled' })
      await happen()
      await deliver()
      await core.ok('PUT', `/webhooks/${webhook.id}`, { status: 'enabled' })
      expect(await deliver()).to.equal(0)
      await happen()
      expect(await deliver()).to.equal(1)
    })

    it('includes only events that the creating key may see', async () => {
      await hook({ url: `${receiver.address}/all` })
      await hook({ url: `${receiver.address}/shop`, processing_id: shop })
      await hook({ url: `${receiver.address}/key` }, { principal: narrowed(other) })
      await happen(shop)
      await happen(other)
      await deliver()
      expect(paths()).to.deep.equal(['/all', '/all', '/key', '/shop'])
    })

    it('ends for an application when its grant is revoked', async () => {
      const grant = `${'0'.repeat(21)}g`
      const principal = { ...narrowed(shop), id: grant }
      await hook({}, { principal })
      const org = { name: 'Corner Books', industry: 'books', org_type: 'business' }
      const org_id = idOf(await core.ok('POST', '/orgs', org))
      await core.ok('PUT', `/accounts/${shop}`, { parent_org_id: org_id })
      const set = async (status: 'active' | 'revoked') =>
        await core.environment.core.write(async (work) => {
          const row = { ...work.blank(resources.oauth_grant), id: grant, org_id, status }
          if (status === 'active') await work.insert(resources.oauth_grant, row)
          else await work.change(resources.oauth_grant, grant, { status })
        })
      await set('active')
      await happen()
      expect(await deliver()).to.equal(1)
      await happen()
      const { read, write } = core.environment.core
      await fanOutEvents({ read, write })
      await set('revoked')
      await happen()
      expect(await deliver()).to.equal(0)
    })

    it('needs a key that may read the objects of the events', async () => {
      const principal = { ...narrowed(shop), grants: { webhooks: ['POST', 'GET', 'PUT'] as const } }
      const refused = await core.send(
        'POST',
        '/webhooks',
        { trigger: 'refund', url: receiver.address },
        { principal },
      )
      expect(refused.status).to.equal(403)
      const may = { ...principal, grants: { ...principal.grants, payment_links: ['GET'] as const } }
      const webhook = await hook({}, { principal: may })
      const moved = await core.send(
        'PUT',
        `/webhooks/${webhook.id}`,
        { trigger: 'refund' },
        { principal: may },
      )
      expect(moved.status).to.equal(403)
      // A principal that changes the address of a webhook receives its events from then on.
      const theirs = `/webhooks/${(await hook({ trigger: 'refund', processing_id: shop })).id}`
      const url = `${receiver.address}/elsewhere`
      expect((await core.send('PUT', theirs, { url }, { principal: may })).status).to.equal(403)
      expect((await core.send('PUT', theirs, { description: 'x' }, { principal: may })).status).to.equal(200)
    })

    it('is signed with both secrets during a rotation', async () => {
      const webhook = await hook()
      const rotated = await core.ok('POST', `/webhooks/${webhook.id}/rotate_secret`, { overlap: 60 })
      await happen()
      await deliver()
      const [told] = receiver.received
      for (const secret of [webhook.secret, rotated.secret])
        expect(new Webhook(String(secret)).verify(told?.body ?? '', told?.headers ?? {})).to.include({
          webhook_id: webhook.id,
        })
      time.now += 2 * MINUTE
      await happen()
      await deliver()
      expect(receiver.received[1]?.headers['webhook-signature']?.split(' ')).to.have.length(1)
    })

    it('disables a webhook whose receiver answers 410, and drops its waiting events', async () => {
      behave = (_received, response) => response.writeHead(410).end()
      const webhook = await hook()
      await happen(shop, 5)
      await deliver()
      expect(await core.ok('GET', `/webhooks/${webhook.id}`)).to.include({ status: 'disabled' })
      time.now += DAY
      expect(await deliver()).to.equal(0)
      const told = await statuses(webhook)
      expect(told.every((status) => status === 410)).to.equal(true)
    })

    it('waits as long as a receiver requests, at most a day', async () => {
      const asked = ['600', new Date(time.now + 20 * MINUTE).toUTCString(), '999999999', 'soon']
      behave = (_received, response) => response.writeHead(429, { 'retry-after': asked.shift() ?? '' }).end()
      await hook()
      await happen()
      await deliver()
      for (const wait of [10 * MINUTE, 9 * MINUTE, DAY]) {
        time.now += wait - 2 * SECOND
        expect(await deliver()).to.equal(0)
        time.now += 2 * SECOND + MINUTE
        expect(await deliver()).to.equal(1)
      }
      time.now += 2.2 * 60 * MINUTE
      expect(await deliver()).to.equal(1)
    })

    it('is not delayed by a slow receiver of another webhook', async () => {
      const slow = await openReceiver(() => undefined)
      open.atEnd(() => slow.close())
      await hook({ url: slow.address })
      await hook()
      await happen(shop, 20)
      const stopping = new AbortController()
      behave = (_received, response) => {
        response.end()
        if (receiver.received.length === 20) stopping.abort()
      }
      await core.environment.deliver(stopping.signal)
      expect(receiver.received).to.have.length(20)
      expect(slow.most).to.be.within(1, 2)
    })

    it('returns aborted deliveries without counting an attempt', async () => {
      const stopping = new AbortController()
      behave = () => stopping.abort()
      const webhook = await hook()
      await happen(shop, 3)
      await core.environment.deliver(stopping.signal)
      behave = agree
      expect(await deliver()).to.equal(3)
      expect(await statuses(webhook)).to.deep.equal([200, 200, 200])
    })

    it('is shared by processes, but each event is delivered by only one process', async () => {
      await hook()
      await happen(shop, 40)
      const second = await openCore(open, { ...core.place, ...options() })
      const counts = await Promise.all([deliver(), deliver(second)])
      expect((counts[0] ?? 0) + (counts[1] ?? 0)).to.equal(40)
      expect(new Set(ids())).to.have.length(40)
    })

    it('continues in another process after the lease of a process that died', async () => {
      const webhook = await hook()
      await happen(shop, 3)
      const { read, write } = core.environment.core
      await fanOutEvents({ read, write })
      const wanted = [{ webhookId: idOf(webhook), limit: 2 }]
      const taken = await write((work) =>
        claimDeliveries(work, wanted, 'of a dead process', time.now + LEASE),
      )
      expect(taken.claims).to.have.length(2)
      expect(await deliver()).to.equal(1)
      time.now += LEASE - 1
      expect(await deliver()).to.equal(0)
      time.now += 1
      expect(await deliver()).to.equal(2)
      expect(new Set(ids())).to.have.length(3)
    })

    it('includes events that are committed late', async () => {
      const webhook = await hook()
      time.now += MINUTE
      await happen()
      await deliver()
      const late = `evt_${digitsOfTime(time.now - 30 * SECOND)}${'0'.repeat(14)}`
      await core.environment.core.write(async ({ tx: { db } }) => {
        const event = await db.selectFrom('events').selectAll().executeTakeFirstOrThrow()
        await db
          .insertInto('events')
          .values({ ...event, id: late, work: undefined })
          .execute()
      })
      // PostgreSQL knows which units of work have ended. An earlier one, such as sealing, may still be
      // running.
      if (core.place.dialect === 'postgres') {
        let count = 0
        while (count === 0) count = await deliver()
        expect(count).to.equal(1)
      } else {
        expect(await deliver()).to.equal(0)
        time.now += 10 * MINUTE
        expect(await deliver()).to.equal(1)
      }
      time.now += 10 * MINUTE
      expect(await deliver()).to.equal(0)
      expect(ids()).to.include(late)
      expect(await statuses(webhook)).to.deep.equal([200, 200])
    })

    it('sends replayed events with the same id and body', async () => {
      const webhook = await hook()
      await happen()
      await deliver()
      const [log] = valuesOf(await core.ok('GET', '/webhook_logs'))
      const replays: JsonObject[] = [
        { event_id: log?.event_id ?? null },
        { log_id: log?.id ?? null },
        { since: '2000-01-01 00:00:00' },
      ]
      for (const replay of replays) {
        expect(await core.ok('POST', '/admin/webhooks/replay', replay)).to.include({ deliveries: 1 })
        expect(await deliver()).to.equal(1)
      }
      expect(new Set(receiver.received.map(({ body }) => body))).to.have.length(1)
      expect(new Set(ids())).to.have.length(1)
      await core.ok('POST', '/admin/webhooks/replay', { since: '2000-01-01 00:00:00' }, { dryRun: true })
      expect(await deliver()).to.equal(0)
      const fresh = await hook()
      const since = { since: '2000-01-01 00:00:00', webhook_id: idOf(fresh) }
      expect(await core.ok('POST', '/admin/webhooks/replay', since)).to.include({ deliveries: 1 })
      await core.ok('PUT', `/webhooks/${webhook.id}`, { status: 'disabled' })
      const refused: [JsonObject, JsonObject | string][] = [
        [{ webhook_id: idOf(webhook), ...replays[0] }, { webhook_id: 'Is disabled' }],
        [{ webhook_id: 'wh_none', ...replays[0] }, { webhook_id: 'Not found' }],
        [{}, { event_id: 'Or log_id or since: one is required' }],
        [{ event_id: 'evt_none' }, { event_id: 'Not found' }],
        [{ log_id: 'none' }, { log_id: 'Not found' }],
      ]
      for (const [body, details] of refused)
        expect((await core.send('POST', '/admin/webhooks/replay', body)).body.details).to.deep.equal(details)
    })

    it('deletes only logs that are old enough', async () => {
      const webhook = await hook()
      await happen()
      await deliver()
      time.now += 29 * DAY
      await happen()
      await deliver()
      const never = new AbortController().signal
      expect(await deleteOldLogs(core.environment.core.write, core.environment.logDays, never)).to.equal(0)
      time.now += 2 * DAY
      expect(await deleteOldLogs(core.environment.core.write, core.environment.logDays, never)).to.equal(1)
      expect(await statuses(webhook)).to.deep.equal([200])
      expect(await deliver()).to.equal(0)
    })
  })
})
