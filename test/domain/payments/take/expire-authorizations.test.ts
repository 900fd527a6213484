import { expect } from 'chai'
import { BACKGROUND_JOBS } from '../../../../src/domain/background-jobs.js'
import { type RemoteSimulator, remoteSimulator } from '../../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { makeProcessing, pay } from '../../../support/examples.js'
import { booksOf, eventsOf } from '../books.js'

const DAY = 86_400_000
const JOB = 'expire_authorizations'

describe('authorizations', () => {
  onDatabases((open) => {
    let real = 0
    const clock = { now: () => real }
    let core: TestCore
    let processing: string
    beforeEach(async () => {
      real = Date.UTC(2026, 10, 21, 10)
      core = await openCore(open, { clock })
      processing = await makeProcessing(core)
    })

    const authorize = async (amount = 10, from = core) =>
      idOf(await pay(from, processing, amount, { status: 'authorized' }))
    const read = (id: string, from = core) => from.ok('GET', `/transactions/${id}`)
    const advance = async (by: string, from = core) => await from.ok('POST', '/admin/clock', { by })
    const capture = (id: string) => core.send('PUT', `/transactions/${id}`, { status: 'processed' })

    it('are voided after 7 days when the clock advances', async () => {
      const payment = await authorize(29.99)
      expect(await advance('6d 23h 59min 59s')).to.deep.include({ done: [] })
      expect(await read(payment)).to.include({ status: 'authorized' })
      expect(await advance('1mo')).to.deep.include({
        now: '2026-12-28 09:59:59',
        done: [{ at: '2026-11-28 10:00:00', job: JOB, count: 1 }],
      })
      expect(await read(payment)).to.include({
        status: 'voided',
        status_code: 'voided',
        funding_status: null,
        modified_at: '2026-11-28 10:00:00',
      })
      expect(await eventsOf(core, payment)).to.deep.equal([
        'payment authorized',
        'authorized authorized',
        'void voided',
      ])
      expect(await booksOf(core, processing)).to.deep.equal({})
    })

    it('are voided earlier if their gateway named an earlier time', async () => {
      const gateway = remoteSimulator()
      const other = await openCore(open, { ...core.place, clock, gateway })
      gateway.script({
        result: 'approved',
        amount: 1000,
        gatewayId: 'g_1',
        captureBefore: '2026-11-24 08:00:00',
      })
      const ending = await authorize(10, other)
      const usual = await authorize(11, other)
      expect(
        await other.ok('GET', `/transactions/${ending}`, undefined, { query: 'fields=capture_before' }),
      ).to.include({
        capture_before: '2026-11-24 08:00:00',
      })
      expect((await advance('3d', other)).done).to.deep.equal([
        { at: '2026-11-24 08:00:00', job: JOB, count: 1 },
      ])
      expect(await read(ending, other)).to.include({ status: 'voided' })
      expect(await read(usual, other)).to.include({ status: 'authorized' })
    })

    it('are voided earlier if their gateway keeps them for a shorter time', async () => {
      const gateway = remoteSimulator(undefined, { authorizationLifetime: 2 * DAY })
      const other = await openCore(open, { ...core.place, clock, gateway })
      const short = await authorize(10, other)
      const long = await authorize(11)
      expect((await advance('3d', other)).done).to.deep.equal([
        { at: '2026-11-23 10:00:00', job: JOB, count: 1 },
      ])
      expect(await read(short)).to.include({ status: 'voided' })
      expect(await read(long)).to.include({ status: 'authorized' })
    })

    it('are voided in order of age, each at its own time', async () => {
      const payments: string[] = []
      for (let i = 0; i < 3; i++) {
        payments.push(await authorize())
        await advance('1d')
      }
      expect((await advance('30d')).done).to.deep.equal([
        { at: '2026-11-28 10:00:00', job: JOB, count: 1 },
        { at: '2026-11-29 10:00:00', job: JOB, count: 1 },
        { at: '2026-11-30 10:00:00', job: JOB, count: 1 },
      ])
      const ends = []
      for (const payment of payments) ends.push((await read(payment)).modified_at)
      expect(ends).to.deep.equal(['2026-11-28 10:00:00', '2026-11-29 10:00:00', '2026-11-30 10:00:00'])
    })

    it('are skipped if they were captured or voided before', async () => {
      const captured = await authorize()
      const voided = await authorize()
      await capture(captured)
      await core.ok('PUT', `/transactions/${voided}`, { status: 'voided' })
      await advance('6d')
      const before = [await read(captured), await read(voided)]
      expect((await advance('1mo')).done).to.deep.equal([])
      expect([await read(captured), await read(voided)]).to.deep.equal(before)
    })

    it('cannot be captured after they expire', async () => {
      const payment = await authorize()
      await advance('7d')
      expect((await capture(payment)).body).to.deep.include({
        details: { status: 'Cannot change from voided to processed' },
      })
    })

    it('are voided by a serving process when due in real time, after maintenance has ended', async () => {
      const payment = await authorize()
      real += 7 * DAY - 1000
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      real += 1000
      await core.ok('PUT', '/admin/maintenance', { enabled: true })
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      await core.ok('PUT', '/admin/maintenance', { enabled: false })
      expect(await core.environment.runDueJobs()).to.deep.equal([{ job: JOB, at: real, count: 1 }])
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      expect(await read(payment)).to.include({ status: 'voided' })
    })

    it('are voided by a background job of serve', async () => {
      const payment = await authorize()
      real += 7 * DAY
      for (const job of BACKGROUND_JOBS)
        if (!job.atGateways) await job.run(core.environment, new AbortController().signal, '')
      expect(await read(payment)).to.include({ status: 'voided' })
    })

    it('are voided once each, even if many processes look for them', async () => {
      const others = [
        core,
        await openCore(open, { ...core.place, clock }),
        await openCore(open, { ...core.place, clock }),
      ]
      const payments = []
      for (let i = 0; i < 12; i++) payments.push(await authorize(i + 1))
      real += 8 * DAY
      const done = (await Promise.all(others.map(({ environment }) => environment.runDueJobs()))).flat()
      expect(done.reduce((sum, { count }) => sum + count, 0)).to.equal(12)
      for (const payment of payments)
        expect((await eventsOf(core, payment)).filter((event) => event === 'void voided')).to.have.length(1)
    })

    it('captured at the moment of expiry end either captured or voided', async () => {
      const payments = []
      for (let i = 0; i < 8; i++) payments.push(await authorize(i + 1))
      real += 8 * DAY
      const [answers] = await Promise.all([Promise.all(payments.map(capture)), core.environment.runDueJobs()])
      for (const [index, payment] of payments.entries()) {
        const captured = answers[index]?.status === 200
        expect(await read(payment)).to.include({ status: captured ? 'processed' : 'voided' })
        expect(await eventsOf(core, payment)).to.have.length(3)
      }
    })

    it('wait again when the clock is set back, but stay voided if they were voided before', async () => {
      const expired = await authorize()
      await advance('8d')
      await core.ok('PUT', '/admin/clock', { offset: 0 })
      const waiting = await authorize()
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      expect(await read(waiting)).to.include({ status: 'authorized' })
      expect((await advance('1y')).done).to.deep.equal([{ at: '2026-11-28 10:00:00', job: JOB, count: 1 }])
      expect((await read(expired)).modified_at).to.equal('2026-11-28 10:00:00')
      expect(await eventsOf(core, expired)).to.have.length(3)
    })

    it('are found after the clock was set forward, and after a downtime', async () => {
      const payment = await authorize()
      await core.environment.runDueJobs()
      await core.ok('PUT', '/admin/clock', { now: '2027-11-21' })
      expect(await core.environment.runDueJobs()).to.deep.equal([
        { job: JOB, at: Date.UTC(2026, 10, 28, 10), count: 1 },
      ])
      expect(await read(payment)).to.include({ status: 'voided', modified_at: '2027-11-21 00:00:00' })
    })

    it('are all voided, even if they exceed one portion', async () => {
      const one = { type: 'payment', amount: 1, processing_id: processing, status: 'authorized' }
      const method = { type: 'card', card: { card_number: '4242424242424242', expiry: '12/39' } }
      const values: JsonObject[] = Array.from({ length: 230 }, () => ({ ...one, payment_method: method }))
      await core.ok('POST', '/transactions', { object: 'list', values })
      expect((await advance('7d')).done).to.deep.equal([{ at: '2026-11-28 10:00:00', job: JOB, count: 230 }])
    })

    describe('with a remote gateway', () => {
      let gateway: RemoteSimulator
      beforeEach(async () => {
        gateway = remoteSimulator()
        core = await openCore(open, { clock, gateway })
        processing = await makeProcessing(core)
      })

      it('are voided there first', async () => {
        const payment = await authorize()
        await advance('7d')
        expect(await read(payment)).to.include({ status: 'voided' })
        expect(gateway.performed.map(({ type }) => type)).to.deep.equal(['authorize', 'void'])
      })

      it('are tried once per run if the gateway does not void them, whatever else has expired', async () => {
        const refused = { result: 'declined', statusCode: 'do_not_honor' } as const
        const payments = []
        for (let day = 0; day < 4; day++) {
          payments.push(await authorize(day + 1))
          real += DAY
        }
        gateway.script(...Array<typeof refused>(4).fill(refused))
        real += 8 * DAY
        await core.environment.runDueJobs()
        for (const payment of payments) expect(await read(payment)).to.include({ status: 'authorized' })
        // A fifth call would be answered and would void a payment.
        expect(gateway.performed.map(({ type }) => type)).to.deep.equal(Array(4).fill('authorize'))
      })

      it('are tried again after a lost answer', async () => {
        const payment = await authorize()
        gateway.script('fails_before')
        await advance('7d')
        expect(await read(payment)).to.include({ status: 'authorized' })
        expect((await advance('1d')).done).to.deep.equal([])
        await core.environment.reconcile(0)
        await advance('1d')
        expect(await read(payment)).to.include({ status: 'voided' })
        expect(gateway.performed.map(({ type }) => type)).to.deep.equal(['authorize', 'void'])
      })
    })
  })
})
