import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import process from 'node:process'
import { expect } from 'chai'
import { headPath, readHead } from '../../../src/engine/store/books/head-file.js'
import { migrations } from '../../../src/engine/store/migrations/migrations.js'
import { openStore, type StoreOptions } from '../../../src/engine/store/open-store.js'
import { acceptBooks } from '../../../src/installation/accept-books.js'
import { systemClock } from '../../../src/platform/clock.js'
import { systemRandom } from '../../../src/platform/random.js'
import { openCore, type TestCore } from '../../support/core.js'
import { insert, storedIds } from '../../support/counters.js'
import { onDatabases, onPostgres, onSqlite, type Place } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { rejection } from '../../support/rejection.js'
import { type HandTimers, handTimers } from '../../support/timers.js'

/** Statements that remove commits, as if a standby server or an old copy had replaced the database. */
const LOSE_COMMITS = [
  'delete from checkpoints',
  'delete from seal_log where id > (select max(id) - 2 from seal_log)',
]

/** More payments than any database accepts before it seals the first of them. */
const MANY = 1_000

describe('books that lose commits while payctl runs', () => {
  onDatabases('locks', (open) => {
    it('refuse further writes until they are accepted', async () => {
      const timers = handTimers()
      const core = await openCore(open, { timers, report: nothing })
      const { place } = core
      const head = () => readHead(headPath(place.home, 'test'))
      const shop = await makeProcessing(core)
      for (const amount of [1, 2, 3]) {
        await pay(core, shop, amount)
        await sealed(place, timers)
      }
      const before = head()
      await asOutsider(place, ...LOSE_COMMITS)

      // On PostgreSQL, some payments succeed before the earlier commits are sealed.
      expect(await firstOther(200, core, shop, timers)).to.equal(503)
      expect(head()).to.deep.equal(before)
      // A new process is refused, too.
      const problems: unknown[] = []
      const other = await openCore(open, { ...place, report: (error) => problems.push(error) })
      expect((await payment(other, shop, 4)).status).to.equal(503)
      expect(problems).to.have.nested.property('[0].problem', 'books_differ')

      const { problem } = await acceptBooks(optionsOf(place), 'the server was replaced')
      expect(problem).to.include('what was committed since then is missing')
      const accepted = head()
      expect(await firstOther(503, core, shop, timers)).to.equal(200)
      await sealed(place, timers)
      // Further commits update the head that the next process reads.
      expect(head()?.number).to.be.above(accepted?.number ?? 0)
    })
  })
})

describe('books accepted while their head file cannot be replaced', () => {
  onDatabases('locks', (open) => {
    it('are written without an error, but must be accepted again', async () => {
      const core = await openCore(open)
      const { place } = core
      const path = headPath(place.home, 'test')
      const shop = await makeProcessing(core)
      for (const amount of [1, 2, 3]) {
        await pay(core, shop, amount)
        await booksSealed(place)
      }
      await asOutsider(place, ...LOSE_COMMITS)
      // A folder at the path of the file's draft.
      const obstacle = `${path}.${process.pid}`
      mkdirSync(obstacle)

      const reported: unknown[] = []
      const reportBooks = (error: unknown) => reported.push(error)
      const store = await openStore({ ...optionsOf(place), acceptsBooks: true, reportBooks })
      await store.write((tx) => insert(tx, 'a'))
      expect(await storedIds(store)).to.include('a')
      await store.close()
      expect(reported).to.have.length(1)
      expect(reported[0]).to.have.property('message', 'The head file of test could not be written')

      expect((await rejection(acceptBooks(optionsOf(place), 'first'))).message).to.include(
        'run payctl books accept again',
      )
      rmdirSync(obstacle)
      await acceptBooks(optionsOf(place), 'second')
      await pay(core, shop, 4)
    })
  })
})

onPostgres((open) => {
  describe('books that lack commits', () => {
    it('are not reported as accepted unless the acceptance was sealed', async () => {
      const core = await openCore(open)
      const { place } = core
      const shop = await makeProcessing(core)
      for (const amount of [1, 2, 3]) {
        await pay(core, shop, amount)
        await booksSealed(place)
      }
      const refusing = 'alter table seal_log add constraint refuses check (id < 0) not valid'
      await asOutsider(place, ...LOSE_COMMITS, refusing)
      expect((await rejection(acceptBooks(optionsOf(place), 'first'))).message).to.include(
        'run payctl books accept again',
      )
      await asOutsider(place, 'alter table seal_log drop constraint refuses')
      await acceptBooks(optionsOf(place), 'second')
      await pay(core, shop, 4)
    })
  })
})

onSqlite((open) => {
  describe('a home whose head file was lost', () => {
    it('gets no new head file by an upgrade', async () => {
      const { app, place, ...core } = await openCore(open)
      const shop = await makeProcessing({ app, place, ...core })
      await app.close()
      rmSync(headPath(place.home, 'test'))
      const second = { name: '0002_second', load: async () => async () => undefined }
      const options = { ...optionsOf(place), migrations: [...migrations, second] }
      await (await openStore(options)).close()
      await asOutsider(place, "delete from migrations where name = '0002_second'")
      const problems: unknown[] = []
      const again = await openCore(open, { ...place, report: (error) => problems.push(error) })
      expect((await payment(again, shop, 1)).status).to.equal(503)
      expect(problems)
        .to.have.nested.property('[0].message')
        .that.matches(/^The head file \S+ is missing;/)
    })
  })
})

function optionsOf(place: Place): StoreOptions & { readonly clock: typeof systemClock } {
  return { ...place, environment: 'test', random: systemRandom, clock: systemClock }
}

async function sealed(place: Place, timers: HandTimers): Promise<void> {
  timers.pass(1_000)
  await booksSealed(place)
}

/** The status of the first payment with a different answer. */
async function firstOther(status: number, core: TestCore, shop: string, timers: HandTimers): Promise<number> {
  for (let count = 1; count <= MANY; count++) {
    timers.pass(1_000)
    const answer = await payment(core, shop, 10 + count)
    if (answer.status !== status) return answer.status
  }
  return status
}

async function payment(core: TestCore, shop: string, amount: number) {
  const sent = { type: 'payment', amount, processing_id: shop, payment_method: card() }
  return await core.send('POST', '/transactions', sent)
}

function nothing(): void {
  return
}
