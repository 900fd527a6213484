import { expect } from 'chai'
import type { Core } from '../../../src/engine/core/core.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'

const HOUR = 3_600_000
const running = new AbortController().signal

onEachDatabase((open) => {
  describe('answers to idempotency keys', () => {
    let core: TestCore
    let transact: Core['write']
    let now = Date.UTC(2027, 0, 1)
    before(async () => {
      core = await openCore(open, { clock: { now: () => now } })
      transact = (await core.app.core('test')).write
    })
    const create = (idempotencyKey: string) =>
      core.send('POST', '/customers', { name: 'Ada' }, { idempotencyKey })
    const kept = async () =>
      await transact(
        async ({ tx: { db } }) => (await db.selectFrom('idempotency_records').select('id').execute()).length,
      )

    it('are forgotten when they are given no longer, and no sooner', async () => {
      await create('first')
      now += 72 * HOUR
      await create('second')
      expect(await core.app.deleteOldAnswers('test', running)).to.equal(0)
      expect((await create('first')).headers).to.include({ 'Idempotent-Replay': 'true' })
      now += 1_000
      expect(await core.app.deleteOldAnswers('test', running)).to.equal(1)
      expect(await kept()).to.equal(1)
      expect((await create('second')).headers).to.include({ 'Idempotent-Replay': 'true' })
      expect((await create('first')).headers).to.deep.equal({})
    })

    it('are forgotten in lots, until the server stops', async () => {
      const before = await kept()
      for (let lot = 0; lot < 3; lot++) {
        const values = Array.from({ length: 400 }, (_, n) => ({
          id: `old ${lot} ${n}`,
          request_hash: '',
          status: 200,
          body: '{}',
          continuation: null,
          created_at: '2026-01-01 00:00:00',
        }))
        await transact(async ({ tx: { db } }) => {
          await db.insertInto('idempotency_records').values(values).execute()
        })
      }
      expect(await core.app.deleteOldAnswers('test', AbortSignal.abort())).to.equal(0)
      expect(await kept()).to.equal(before + 1_200)
      expect(await core.app.deleteOldAnswers('test', running)).to.equal(1_200)
      expect(await kept()).to.equal(before)
    })
  })
})
