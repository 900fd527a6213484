import { expect } from 'chai'
import { openCore, type TestCore } from '../support/core.js'
import { onDatabases } from '../support/databases.js'

onDatabases((open) => {
  describe('/admin/maintenance', () => {
    const OFF = { object: 'maintenance', enabled: false, message: null, since: null }
    let core: TestCore
    let now = Date.UTC(2027, 0, 5, 9)
    before(async () => {
      core = await openCore(open, { clock: { now: () => now } })
    })
    const read = () => core.ok('GET', '/admin/maintenance')

    it('is off at first', async () => {
      expect(await read()).to.deep.equal(OFF)
    })

    it('shows when it was switched on, and the last message', async () => {
      const begun = await core.ok('PUT', '/admin/maintenance', { enabled: true, message: 'Back at ten' })
      expect(begun).to.deep.equal({
        object: 'maintenance',
        enabled: true,
        message: 'Back at ten',
        since: '2027-01-05 09:00:00',
      })
      now += 60_000
      await core.ok('PUT', '/admin/maintenance/', { enabled: 'true', message: 'Back at noon' })
      expect(await read()).to.deep.equal({ ...begun, message: 'Back at noon' })
      expect(await core.ok('PUT', '/admin/maintenance', { enabled: false })).to.deep.equal(OFF)
      expect(await read()).to.deep.equal(OFF)
    })

    it('is not changed by a dry run', async () => {
      const response = await core.ok('PUT', '/admin/maintenance', { enabled: true }, { dryRun: true })
      expect(response).to.include({ enabled: true })
      expect(await read()).to.deep.equal(OFF)
    })

    it('is switched on once by several requests at the same time', async () => {
      const switchOn = () => core.send('PUT', '/admin/maintenance', { enabled: true, message: 'Back at ten' })
      const answers = await Promise.all(Array.from({ length: 8 }, switchOn))
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200))
      expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).to.equal(1)
      expect(await core.ok('PUT', '/admin/maintenance', { enabled: false })).to.deep.equal(OFF)
    })

    it('is switched only once by a request that is repeated under its idempotency key', async () => {
      const switchOn = () =>
        core.send('PUT', '/admin/maintenance', { enabled: true }, { idempotencyKey: 'a' })
      const first = await switchOn()
      await core.ok('PUT', '/admin/maintenance', { enabled: false })
      const again = await switchOn()
      expect(again).to.deep.include({ status: 200, body: first.body })
      expect(again.headers).to.include({ 'Idempotent-Replay': 'true' })
      expect(await read()).to.deep.equal(OFF)
    })
  })
})
