import { expect } from 'chai'
import type { Core } from '../../../src/engine/core/core.js'
import { deleteOldAnswers } from '../../../src/engine/jobs/delete-old-answers.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

const HOUR = 3_600_000
const running = new AbortController().signal

onDatabases((open) => {
  describe('answers stored for idempotency keys', () => {
    let core: TestCore
    let transact: Core['write']
    const start = Date.UTC(2027, 0, 1)
    /** Milliseconds since the start; `wrong` is the error of the system clock in milliseconds. */
    let elapsed = 0
    let wrong = 0
    before(async () => {
      const clock = { now: () => start + elapsed + wrong }
      core = await openCore(open, { clock, stopwatch: { now: () => elapsed } })
      transact = core.environment.core.write
    })
    const deleteOld = async (stopping = running) =>
      await deleteOldAnswers(transact, core.environment.answerClock, stopping)
    /** Advances the time while `serve` deletes old answers each hour; returns the number deleted. */
    const pass = async (hours: number) => {
      let deleted = 0
      for (let hour = 0; hour < hours; hour++) {
        elapsed += HOUR
        deleted += await deleteOld()
      }
      return deleted
    }
    const create = (idempotencyKey: string) =>
      core.send('POST', '/customers', { name: 'Ada' }, { idempotencyKey })
    const kept = async () =>
      await transact(
        async ({ tx: { db } }) => (await db.selectFrom('idempotency_records').select('id').execute()).length,
      )

    it('are deleted when their lifetime ends, and not before', async () => {
      expect(await deleteOld()).to.equal(0)
      await create('first')
      expect(await pass(71)).to.equal(0)
      await create('second')
      expect(await pass(1)).to.equal(0)
      expect((await create('first')).headers).to.include({ 'Idempotent-Replay': 'true' })
      elapsed += 1_000
      expect(await deleteOld()).to.equal(1)
      expect(await kept()).to.equal(1)
      expect((await create('second')).headers).to.include({ 'Idempotent-Replay': 'true' })
      expect((await create('first')).headers).to.deep.equal({})
      expect(await pass(73)).to.equal(2)
    })

    it('survive a clock that repeatedly jumps by years and back', async () => {
      await create('before')
      for (const years of [10, -10, 20, 0]) {
        wrong = years * 365 * 24 * HOUR
        expect(await deleteOld()).to.equal(0)
        await create(`after ${years}`)
        expect((await create('before')).headers).to.include({ 'Idempotent-Replay': 'true' })
      }
      expect(await pass(60)).to.equal(0)
      expect((await create('before')).headers).to.include({ 'Idempotent-Replay': 'true' })
      expect(await pass(20)).to.equal(5)
      expect(await kept()).to.equal(0)
    })

    it('live longer, never shorter, after a downtime', async () => {
      await create('before')
      elapsed += 500 * HOUR
      expect(await deleteOld()).to.equal(0)
      expect(await pass(69)).to.equal(0)
      expect(await pass(3)).to.equal(1)
    })

    it('that wait for an outcome are kept until it is known, and for a whole lifetime after it', async () => {
      const gateway = remoteSimulator()
      let now = start
      const core = await openCore(open, { gateway, clock: { now: () => now }, stopwatch: { now: () => now } })
      const days = async (count: number) => {
        for (let hour = 0; hour < count * 24; hour++) {
          now += HOUR
          await deleteOld()
        }
      }
      const processing_id = await makeProcessing(core)
      const body = { type: 'payment', amount: 10, processing_id, payment_method: card() }
      const pay = () => core.send('POST', '/transactions', body, { idempotencyKey: 'once' })
      gateway.script('times_out_after')
      const { body: first } = await pay()
      expect(first).to.include({ status: 'processing' })
      await days(5)
      expect((await pay()).status).to.equal(409)
      await core.environment.reconcile(0)
      await days(2)
      expect((await pay()).body).to.include({ id: first.id, status: 'processed' })
      expect(gateway.performed).to.have.length(1)
    })

    it('are deleted in batches until the server stops', async () => {
      const before = await kept()
      for (let lot = 0; lot < 3; lot++) {
        const values = Array.from({ length: 400 }, (_, n) => ({
          id: `old ${lot} ${n}`,
          request_hash: '',
          status: 200,
          answer: '{}',
          continuation: null,
          created_at: '2026-01-01 00:00:00',
        }))
        await transact(async ({ tx: { db } }) => {
          await db.insertInto('idempotency_records').values(values).execute()
        })
      }
      expect(await deleteOld(AbortSignal.abort())).to.equal(0)
      expect(await kept()).to.equal(before + 1_200)
      expect(await deleteOld()).to.equal(1_200)
      expect(await kept()).to.equal(before)
    })
  })
})
