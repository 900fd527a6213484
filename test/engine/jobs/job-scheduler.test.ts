import { expect } from 'chai'
import type { Core } from '../../../src/engine/core/core.js'
import type { DueJob } from '../../../src/engine/jobs/due-job.js'
import { JobScheduler } from '../../../src/engine/jobs/job-scheduler.js'
import { MovableClock } from '../../../src/engine/jobs/movable-clock.js'
import { stopwatch } from '../../../src/platform/clock.js'
import { openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const NOW = Date.UTC(2026, 10, 21, 10)
const MINUTE = 60_000

onDatabases('locks', (open) => {
  describe('the job scheduler', () => {
    let real = NOW
    const clock = { now: () => real }
    let passed = 0
    let core: Core
    let log: number[] = []
    let reported: unknown[] = []
    before(async () => {
      core = (await (await openCore(open, { clock })).app.environment('test')).core
    })
    beforeEach(() => {
      real = NOW
      passed = 0
      log = []
      reported = []
    })

    const turnsOf = (job: DueJob) =>
      new JobScheduler({
        runner: { read: core.read, write: core.write },
        jobs: [job],
        movable: new MovableClock(clock, stopwatch),
        stopwatch: { now: () => passed },
        paused: async () => false,
        report: (error) => reported.push(error),
      })
    /** A job that is due at the given times but never completes its work. */
    const stuckAt = (...moments: number[]): DueJob => ({
      name: 'stuck',
      next: async (_work, after) => moments.find((moment) => moment > after),
      run: async (_doing, at) => {
        log.push(at - NOW)
        return 0
      },
    })

    it('runs due work and retries failed work after a minute', async () => {
      const turns = turnsOf(stuckAt(NOW - 5, NOW + 5, NOW + 50))
      await turns.tick()
      expect(log).to.deep.equal([-5])
      await turns.tick()
      real = NOW + 5
      await turns.tick()
      expect(log).to.deep.equal([-5, 5])
      passed = MINUTE
      await turns.tick()
      expect(log).to.deep.equal([-5, 5, -5, 5])
    })

    it('checks all jobs again when the clock was set back', async () => {
      const turns = turnsOf(stuckAt(NOW - 7, NOW - 5, NOW))
      await turns.tick()
      real = NOW - 6
      await turns.tick()
      expect(log).to.deep.equal([-7, -5, 0, -7])
    })

    it('waits at most a minute while another process advances the clock', async () => {
      const turns = turnsOf(stuckAt(NOW))
      const another = new MovableClock(clock, stopwatch)
      await core.write(({ tx }) => another.step(tx, NOW))
      await turns.tick()
      expect(log).to.deep.equal([])
      await core.write(({ tx }) => another.arrive(tx))
      await turns.tick()
      expect(log).to.deep.equal([0])
      await core.write(({ tx }) => another.step(tx, NOW))
      real += MINUTE
      passed = MINUTE
      await turns.tick()
      expect(log).to.deep.equal([0, 0])
      await core.write(({ tx }) => another.arrive(tx))
    })

    it('reports a failing job by its name and retries it after a minute', async () => {
      const broken = new Error('broken')
      const turns = turnsOf({ ...stuckAt(NOW), run: async () => Promise.reject(broken) })
      expect(await turns.tick()).to.deep.equal([])
      await turns.tick()
      passed = MINUTE
      await turns.tick()
      expect(reported.map((error) => [String(error), error instanceof Error && error.cause])).to.deep.equal([
        ['Error: Due work failed: stuck', broken],
        ['Error: Due work failed: stuck', broken],
      ])
    })

    it('stops between two units of work when stopped, and continues at its next run', async () => {
      const stopping = new AbortController()
      let units = 0
      const turns = turnsOf({
        name: 'long',
        next: async (_work, after) => (units < 5 && after < NOW ? NOW : undefined),
        async run({ write }) {
          const before = units
          while (units < 5)
            await write(async () => {
              units++
              if (units === 2) stopping.abort()
            })
          return units - before
        },
      })
      expect(await turns.tick(stopping.signal)).to.deep.equal([])
      expect([units, reported]).to.deep.equal([2, []])
      passed = MINUTE
      expect(await turns.tick()).to.deep.equal([{ job: 'long', at: NOW, count: 3 }])
    })
  })
})
