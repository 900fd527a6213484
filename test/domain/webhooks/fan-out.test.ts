import { expect } from 'chai'
import { fanOutEvents, fanOutLateEvents } from '../../../src/domain/webhooks/fan-out-events.js'
import { workNumbers } from '../../../src/engine/store/database/differences.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { agree, openReceiver, type Receiver } from '../../support/receiver.js'

const HOUR = 3_600_000
/** Longer than any answer in a test, however busy the machine is. */
const TIMEOUT = HOUR
const LEASE = 2.5 * TIMEOUT
/** Address without a listener, for webhooks without due deliveries. */
const IDLE = 'http://127.0.0.1:9/'

describe('events fanned out to webhooks', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let other: string
    let receiver: Receiver
    let time: { now: number }

    beforeEach(async () => {
      time = { now: Date.now() }
      core = await openCore(open, {
        clock: { now: () => time.now },
        delivery: { timeout: TIMEOUT, concurrency: { total: 8, each: 2 } },
      })
      shop = await makeProcessing(core)
      other = await makeProcessing(core)
      const opened = await openReceiver(agree)
      open.atEnd(() => opened.close())
      receiver = opened
    })

    const hook = async (url: string, processing_id: string) =>
      await core.ok('POST', '/webhooks', { trigger: 'payment_link:status', url, processing_id })
    const happen = async (count: number) => {
      time.now += 1_000
      const link = { amount: 1, description: 'A book', processing_id: shop }
      await core.ok(
        'POST',
        '/payment_links',
        Array.from({ length: count }, () => link),
      )
    }
    const fanOut = async (claimable: (receiver: string) => number) => {
      const { read, write } = core.environment.core
      return await fanOutEvents({ read, write }, { claimable, leaseEnd: () => time.now + LEASE })
    }
    const deliver = async () => await core.environment.deliver(new AbortController().signal)
    const received = () => new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size

    it('are attempted by another process after the lease of a process that died', async () => {
      await hook(receiver.address, shop)
      await happen(5)
      const { events, claims } = await fanOut(() => 2)
      expect([events, claims.length]).to.deep.equal([2, 2])
      expect(await deliver()).to.equal(3)
      time.now += LEASE - 1
      expect(await deliver()).to.equal(0)
      time.now += 1
      expect(await deliver()).to.equal(2)
      expect(received()).to.equal(5)
    })

    it('wait while no process has capacity, and no longer', async () => {
      await hook(receiver.address, shop)
      await happen(3)
      expect(await fanOut(() => 0)).to.deep.equal({ events: 0, claims: [], isFull: true })
      await hook(IDLE, other)
      const { events, claims, isFull } = await fanOut((address) => (address === receiver.address ? 0 : 9))
      expect([events, claims.length, isFull]).to.deep.equal([3, 0, false])
      expect(await deliver()).to.equal(3)
    })

    it('are skipped if there are no webhooks, and later webhooks receive only newer events', async () => {
      await happen(3)
      const { read, write } = core.environment.core
      const isPostgres = core.place.dialect === 'postgres'
      // A unit of work that still runs, as sealing does, may be older than the events.
      const settled = isPostgres ? (await read(async ({ tx }) => await workNumbers(tx))).settled : 0
      const nothing = { events: 0, claims: [], isFull: false }
      expect(await fanOut(() => 9)).to.deep.equal(nothing)
      const { event_id, swept_work } = await read(
        async ({ tx }) => await tx.db.selectFrom('fan_out').selectAll().executeTakeFirstOrThrow(),
      )
      const newest = await read(
        async ({ tx }) =>
          await tx.db.selectFrom('events').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow(),
      )
      expect(event_id).to.equal(newest.id)
      if (isPostgres) {
        expect(swept_work).to.be.above(0).and.at.least(settled)
        expect(await fanOutLateEvents({ read, write })).to.equal(false)
      }
      await hook(receiver.address, shop)
      expect(await deliver()).to.equal(0)
      await happen(2)
      expect(await deliver()).to.equal(2)
    })

    it('are skipped if no webhook has their trigger, and delivered if a webhook has their trigger', async () => {
      await core.ok('POST', '/webhooks', { trigger: 'refund', url: receiver.address })
      await happen(3)
      expect(await fanOut(() => 1)).to.deep.equal({ events: 0, claims: [], isFull: false })
      const { read } = core.environment.core
      const [position, newest] = await read(async ({ tx: { db } }) => [
        (await db.selectFrom('fan_out').selectAll().executeTakeFirstOrThrow()).event_id,
        (await db.selectFrom('events').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()).id,
      ])
      expect(position).to.equal(newest)
      await hook(receiver.address, shop)
      await happen(5)
      const { events, claims } = await fanOut(() => 2)
      expect([events, claims.length]).to.deep.equal([2, 2])
      expect(await deliver()).to.equal(3)
    })

    it('are attempted once if they were replayed before', async () => {
      await hook(receiver.address, shop)
      await happen(2)
      await core.ok('POST', '/admin/webhooks/replay', { since: '2000-01-01 00:00:00' })
      const { events, claims } = await fanOut(() => 9)
      expect([events, claims.length]).to.deep.equal([2, 0])
      expect(await deliver()).to.equal(2)
      expect(received()).to.equal(2)
    })
  })
})
