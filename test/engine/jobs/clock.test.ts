import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import { deleteOldAnswers } from '../../../src/engine/jobs/delete-old-answers.js'
import { datetimeOf } from '../../../src/schema/datetime.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const REAL = '2026-11-21 10:00:00'
const HOUR = 3_600_000

onDatabases((open) => {
  describe('the clock of the test environment', () => {
    let real = 0
    const clock = { now: () => real }
    let core: TestCore
    beforeEach(async () => {
      real = Date.UTC(2026, 10, 21, 10)
      core = await openCore(open, { clock })
    })

    const show = () => core.ok('GET', '/admin/clock')
    const set = (now: string) => core.ok('PUT', '/admin/clock', { now })
    const advance = (by: string) => core.ok('POST', '/admin/clock', { by })
    const newCustomer = (from = core) =>
      from.ok('POST', '/customers', { name: 'Ann', email: 'ann@example.com' })
    /** A second process on the same database. */
    const another = () => openCore(open, { ...core.place, clock })

    it('shows the real time until it is moved', async () => {
      expect(await show()).to.deep.equal({ object: 'clock', now: REAL, offset: 0, real: REAL })
    })

    it('runs on from the time that was set', async () => {
      const answer = { object: 'clock', now: '2027-02-28 23:59:00', offset: 8603940, real: REAL }
      expect(await set('2027-02-28 23:59:00')).to.deep.equal(answer)
      expect(await show()).to.deep.equal(answer)
      real += HOUR
      expect(await show()).to.include({ now: '2027-03-01 00:59:00', real: '2026-11-21 11:00:00' })
    })

    it('can be advanced by months, days and hours, or to a time', async () => {
      expect(await advance('1mo 2d 12h')).to.deep.equal({
        object: 'clock',
        now: '2026-12-23 22:00:00',
        offset: 32 * 86_400 + 43_200,
        real: REAL,
        done: [],
      })
      expect(await core.ok('POST', '/admin/clock', { to: '2027-01-01' })).to.include({
        now: '2027-01-01 00:00:00',
      })
      expect(await advance('0d')).to.include({ now: '2027-01-01 00:00:00' })
    })

    it('supplies every time that clients see', async () => {
      await advance('1y')
      const customer = await newCustomer()
      expect(customer).to.include({ created_at: '2027-11-21 10:00:00', modified_at: '2027-11-21 10:00:00' })
      await advance('1d')
      const path = `/customers/${idOf(customer)}`
      expect(await core.ok('PUT', path, { name: 'Ann B.' })).to.include({
        created_at: '2027-11-21 10:00:00',
        modified_at: '2027-11-22 10:00:00',
      })
    })

    it('can be set back, even to the real time', async () => {
      await set('2030-01-01')
      expect(await set('2020-01-01')).to.include({ now: '2020-01-01 00:00:00' })
      expect(await newCustomer()).to.include({ created_at: '2020-01-01 00:00:00' })
      expect(await core.ok('PUT', '/admin/clock', { offset: 0 })).to.include({ now: REAL, offset: 0 })
    })

    it('keeps ids in order of creation', async () => {
      await set('2030-01-01')
      const earlier = idOf(await newCustomer())
      await set('2020-01-01')
      expect(idOf(await newCustomer()) > earlier).to.equal(true)
    })

    it('is the same in every process as soon as it is moved', async () => {
      const other = await another()
      for (const [mover, seer] of [
        [core, other],
        [other, core],
      ] as const)
        for (const now of ['2028-05-05 05:05:05', '2027-01-01 00:00:00']) {
          await newCustomer(seer)
          await mover.ok('PUT', '/admin/clock', { now })
          expect(await newCustomer(seer)).to.include({ created_at: now })
          expect(await seer.ok('GET', '/admin/clock')).to.include({ now })
        }
    })

    it('can be advanced by two processes at once, and neither advance is lost', async () => {
      const other = await another()
      // One of the requests may arrive too late and be refused.
      const answers = await Promise.all([
        core.send('POST', '/admin/clock', { to: '2027-06-01' }),
        other.send('POST', '/admin/clock', { to: '2027-03-01' }),
      ])
      expect(answers.map(({ status }) => status)).to.include(200)
      expect(await show()).to.include({ now: '2027-06-01 00:00:00' })
    })

    it('is not moved by a dry run', async () => {
      const dryRun = { dryRun: true }
      expect(await core.ok('PUT', '/admin/clock', { now: '2030-01-01' }, dryRun)).to.include({
        now: '2030-01-01 00:00:00',
      })
      expect(await core.ok('POST', '/admin/clock', { by: '1d' }, dryRun)).to.include({
        now: '2026-11-22 10:00:00',
      })
      expect(await show()).to.include({ now: REAL })
    })

    it('is advanced once per idempotency key', async () => {
      const ask = () => core.send('POST', '/admin/clock', { by: '1d' }, { idempotencyKey: 'a' })
      const first = await ask()
      expect(await ask()).to.deep.include({ status: 200, body: first.body })
      expect(await show()).to.include({ now: '2026-11-22 10:00:00' })
    })

    it('does not expire idempotency keys or secret keys', async () => {
      const body = { name: 'Ann', email: 'ann@example.com' }
      const ask = () => core.send('POST', '/customers', body, { idempotencyKey: 'b' })
      const first = await ask()
      const { secret_key: key } = await core.ok('POST', '/admin/keys', { expires_at: '2026-11-22 10:00:00' })
      await advance('10y')
      expect((await ask()).body).to.deep.equal(first.body)
      expect(await core.app.authenticate(String(key))).to.include({ environment: 'test' })
      real += 24 * HOUR
      expect(await core.app.authenticate(String(key))).to.equal(undefined)
      // A jump of the real time does not expire keys either: while the service runs, the clock for their
      // expiry advances in short steps.
      real += 49 * HOUR
      const { core: engine, answerClock } = core.environment
      await deleteOldAnswers(engine.write, answerClock, new AbortController().signal)
      expect((await ask()).body).to.deep.equal(first.body)
    })

    it('is not moved by an invalid time', async () => {
      await set('2027-01-01')
      const refused: ['PUT' | 'POST', JsonObject, JsonObject][] = [
        ['PUT', {}, { now: 'Required' }],
        ['PUT', { now: '2027-01-01', offset: 0 }, { offset: 'Must not be given together with now' }],
        ['PUT', { now: 'soon' }, { now: 'Must be valid datetime, YYYY-MM-DD HH:MM:SS' }],
        ['PUT', { now: '3000-01-01' }, { now: RANGE }],
        ['PUT', { now: '1969-12-31' }, { now: RANGE }],
        ['PUT', { offset: 99_999_999_999 }, { offset: RANGE }],
        ['POST', {}, { by: 'Required' }],
        ['POST', { by: '1d', to: '2027-02-01' }, { by: 'Must not be given together with to' }],
        ['POST', { by: 'a month' }, { by: 'Must be a duration, such as 1mo, 2w, 3d, 12h or 1y' }],
        ['POST', { by: '1000y' }, { by: RANGE }],
        ['POST', { by: '99999y' }, { by: RANGE }],
        ['POST', { to: '2026-12-31 23:59:59' }, { to: 'Must not be before 2027-01-01 00:00:00' }],
      ]
      for (const [method, body, details] of refused) {
        const response = await core.send(method, '/admin/clock', body)
        expect(response.status, JSON.stringify(body)).to.equal(400)
        expect(response.body.details).to.deep.equal(details)
      }
      expect(await show()).to.include({ now: '2027-01-01 00:00:00' })
    })

    it('follows the real time in live, for everybody', async () => {
      await set('2030-01-01')
      const { core: live } = await core.app.environment('live')
      const ask = (method: 'GET' | 'PUT' | 'POST', body?: JsonObject) =>
        live.handle({ method, path: '/admin/clock', body, principal: owner })
      expect((await ask('GET')).body).to.deep.include({ now: REAL, offset: 0 })
      for (const response of [await ask('PUT', { now: '2030-01-01' }), await ask('POST', { by: '1d' })]) {
        expect(response.status).to.equal(403)
        expect(response.body).to.include({
          error_description: 'The clock of the live environment shows the real time and is never moved',
        })
      }
      expect((await ask('GET')).body).to.include({ now: REAL })
    })

    it('sets the times by which objects are sorted and filtered', async () => {
      for (const day of ['2027-01-02', '2027-01-01', '2027-01-03']) {
        await set(day)
        await newCustomer()
      }
      const listed = valuesOf(
        await core.ok('GET', '/customers', undefined, { query: 'created_at=>2027-01-01 00:00:00' }),
      )
      expect(listed.map(({ created_at: at }) => at)).to.deep.equal(
        [3, 2].map((day) => datetimeOf(Date.UTC(2027, 0, day))),
      )
    })
  })
})

const RANGE = 'Must lead to a time from 1970-01-01 00:00:00 to 2999-12-31 23:59:59'
