import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect } from 'chai'
import fc from 'fast-check'
import type { DueJob, WorkRunner } from '../../../src/engine/jobs/due-job.js'
import { runDueJobs } from '../../../src/engine/jobs/run-due-jobs.js'
import { openCore } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { gate } from '../../support/gate.js'
import { rejection } from '../../support/rejection.js'
import { handTimers } from '../../support/timers.js'

/** A job with work at the given times, and the record of all such jobs. */
interface Listed extends DueJob {
  readonly undone: number[]
}

onSqlite((open) => {
  describe('runDueJobs', () => {
    let runner: WorkRunner
    let log: string[] = []
    before(async () => {
      const { core } = await (await openCore(open)).app.environment('test')
      runner = { read: core.read, write: core.write }
    })
    beforeEach(() => {
      log = []
    })
    const reach = async (moment: number) => void log.push(`reach ${moment}`)

    const job = (name: string, moments: readonly number[], then: () => void = () => undefined): Listed => {
      const undone = [...moments]
      return {
        name,
        undone,
        next: async (_work, after) => {
          const ahead = undone.filter((moment) => moment > after)
          return ahead.length > 0 ? Math.min(...ahead) : undefined
        },
        async run(_doing, at) {
          const due = undone.filter((moment) => moment <= at)
          const rest = undone.filter((moment) => moment > at)
          undone.splice(0, undone.length, ...rest)
          log.push(`${name} ${at}`)
          then()
          return due.length
        },
      }
    }

    it('runs jobs in order of their due time, and in order of the list at equal times', async () => {
      const jobs = [job('cut-off', [20, 40]), job('billing', [30, 20]), job('idle', [])]
      const done = await runDueJobs({ runner, jobs, until: 35, reach })
      expect(log).to.deep.equal(['reach 20', 'cut-off 20', 'billing 20', 'reach 30', 'billing 30'])
      expect(done).to.deep.equal([
        { job: 'cut-off', at: 20, count: 1 },
        { job: 'billing', at: 20, count: 1 },
        { job: 'billing', at: 30, count: 1 },
      ])
    })

    it('lets other jobs continue while one job waits, and stops waiting for that job after a minute', async () => {
      const held = gate<number>()
      const timers = handTimers()
      const lane = (name: string, listed: Listed): Listed => ({ ...listed, lane: name })
      const hanging = { ...lane('up', job('hanging', [10])), run: () => held.enter() }
      const jobs = [hanging, job('own', [10, 20]), lane('other', job('beside', [10, 20]))]
      const running = runDueJobs({ runner, jobs, until: 100, timers })
      await held.entered
      while (timers.waiting.length > 1) await nextTurn()
      expect(log).to.deep.equal(['own 10', 'beside 10'])
      timers.pass(60_000)
      expect(await running).to.have.length(4)
      expect(log).to.deep.equal(['own 10', 'beside 10', 'own 20', 'beside 20'])
      held.open(1)
    })

    it('runs work due at the end of the period, but none due later', async () => {
      await runDueJobs({ runner, jobs: [job('a', [10, 11])], until: 10 })
      expect(log).to.deep.equal(['a 10'])
    })

    it('runs work that another job created in the same run, even if it was due earlier', async () => {
      const later = job('later', [])
      const jobs = [job('first', [20], () => later.undone.push(20, 5, 30)), later]
      await runDueJobs({ runner, jobs, until: 100, reach })
      expect(log).to.deep.equal(['reach 20', 'first 20', 'reach 20', 'later 20', 'reach 30', 'later 30'])
      expect(later.undone).to.deep.equal([])
    })

    it('tries failing work once at its due time, then again at the following due times', async () => {
      const stuck: DueJob = {
        name: 'stuck',
        next: async (_work, after) => [10, 20].find((moment) => moment > after),
        run: async (_doing, at) => {
          log.push(`stuck ${at}`)
          return 0
        },
      }
      expect(await runDueJobs({ runner, jobs: [stuck], until: 100 })).to.deep.equal([])
      expect(log).to.deep.equal(['stuck 10', 'stuck 20'])
    })

    it('continues with other jobs after a failure if it has a failure listener, and throws otherwise', async () => {
      const failing: DueJob = {
        ...job('failing', [10, 20]),
        run: async () => Promise.reject(new Error('broken')),
      }
      const told: string[] = []
      const failed = ({ name }: DueJob, error: unknown) => void told.push(`${name}: ${error}`)
      await runDueJobs({ runner, jobs: [failing, job('sound', [10, 20])], until: 100, failed })
      expect(told).to.deep.equal(['failing: Error: broken'])
      expect(log).to.deep.equal(['sound 10', 'sound 20'])
      const error = await rejection(runDueJobs({ runner, jobs: [failing, job('sound', [10])], until: 100 }))
      expect(error).to.have.property('message', 'broken')
    })

    it('throws for a job whose next run is due at the same time', async () => {
      const circling: DueJob = { ...job('circling', [10]), next: async () => 10 }
      const error = await rejection(runDueJobs({ runner, jobs: [circling], until: 100 }))
      expect(error).to.have.property('message', 'The job circling would run again at 10, after 10')
    })

    it('has the same result in one run or in several', async () => {
      const moments = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(moments, moments, moments, async (one, two, stops) => {
          const take = async (untils: readonly number[]) => {
            log = []
            const jobs = [job('one', one), job('two', two)]
            for (const until of untils) await runDueJobs({ runner, jobs, until })
            return log
          }
          expect(await take([...stops.toSorted((a, b) => a - b), 60])).to.deep.equal(await take([60]))
        }),
        { numRuns: 50 },
      )
    })
  })
})
