import { expect } from 'chai'
import { digitsOfTime, timeOfId } from '../../../src/schema/id-time.js'
import { listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing } from '../../support/examples.js'
import { gate } from '../../support/gate.js'

describe('reading events', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    beforeEach(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
    })

    const happen = async (count = 1) => {
      const link = { amount: 1, description: 'A book', processing_id: shop }
      await core.ok(
        'POST',
        '/payment_links',
        Array.from({ length: count }, () => link),
      )
    }
    const read = async (query: string) => {
      const { events, next } = await core.ok('GET', '/admin/events', undefined, { query })
      return { ids: listOf(events).map((event) => String(objectOf(event).id)), next: String(next) }
    }
    /** Reads like a follower, each event once. */
    const listener = (limit: number) => {
      const told = new Set<string>()
      let query = `limit=${limit}`
      return async (): Promise<string[]> => {
        const fresh: string[] = []
        for (let isMore = true; isMore; ) {
          const { ids, next } = await read(query)
          isMore = ids.length === limit && query.includes('after')
          query = `limit=${limit}&after=${encodeURIComponent(next)}`
          for (const id of ids.filter((each) => !told.has(each))) fresh.push(id)
          for (const id of ids) told.add(id)
        }
        return fresh
      }
    }
    const all = async () => (await read('limit=1000')).ids

    it('returns each event once, in pages, whatever happens in between', async () => {
      await happen(3)
      const listen = listener(4)
      expect(await listen()).to.deep.equal(await all())
      expect(await listen()).to.deep.equal([])
      await happen(11)
      expect(await listen()).to.deep.equal((await all()).slice(-11))
      expect(await listen()).to.deep.equal([])
    })

    it('filters by trigger, and continues after an event', async () => {
      await happen(2)
      const [first, second] = await all()
      expect((await read(`after=${first}`)).ids).to.deep.equal([second])
      expect((await read('trigger=refund')).ids).to.deep.equal([])
      expect((await read('trigger=refund&after=evt_0')).ids).to.deep.equal([])
      const refused = await core.send('GET', '/admin/events', undefined, { query: 'after=no-event' })
      expect(refused.status).to.equal(400)
    })

    it('searches for a trigger only within recent events', async () => {
      await happen()
      const [newest = ''] = await all()
      const minute = `evt_${digitsOfTime(timeOfId(newest) - 60_000)}${'0'.repeat(14)}`
      const handle = core.environment.core
      await handle.write(async ({ tx: { db } }) => {
        const event = await db.selectFrom('events').selectAll().executeTakeFirstOrThrow()
        await db
          .insertInto('events')
          .values({ ...event, id: minute, trigger: 'refund', work: undefined })
          .execute()
      })
      const first = await read('trigger=refund')
      expect(first.ids).to.deep.equal([minute])
      const none = await read('trigger=reversal&after=evt_0')
      expect(none.ids).to.deep.equal([])
      for (const { next } of [first, none]) {
        const follows = await read(`after=${next}`)
        // On PostgreSQL, events can be repeated if transactions of other databases began before them.
        if (core.place.dialect === 'sqlite') expect(follows.ids).to.deep.equal([newest])
      }
    })

    it('returns events that were committed after events with higher ids', async () => {
      await happen()
      const listen = listener(100)
      await listen()
      const [one = ''] = await all()
      const late = `evt_${digitsOfTime(timeOfId(one) + 1)}${'0'.repeat(14)}`
      await commitLate(late, async () => {
        await happen()
        expect(await listen()).to.deep.equal((await all()).slice(-1))
      })
      expect(await listen()).to.deep.equal([late])
      expect(await listen()).to.deep.equal([])
    })

    /**
     * Writes an event whose unit of work ends after a later unit of work. On SQLite, units of work run one at a
     * time.
     */
    async function commitLate(id: string, meanwhile: () => Promise<void>): Promise<void> {
      const handle = core.environment.core
      const isApart = core.place.dialect === 'postgres'
      const written = gate<void>()
      if (!isApart) await meanwhile()
      const writing = handle.write(async ({ tx: { db } }) => {
        const event = await db.selectFrom('events').selectAll().executeTakeFirstOrThrow()
        await db
          .insertInto('events')
          .values({ ...event, id, work: undefined })
          .execute()
        if (isApart) await written.enter()
      })
      if (isApart) {
        await written.entered
        await meanwhile()
      }
      written.open()
      await writing
    }
  })
})
