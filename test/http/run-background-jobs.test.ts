import { once } from 'node:events'
import { request } from 'node:http'
import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect } from 'chai'
import { BACKGROUND_JOBS, type BackgroundJob, NOTIFICATIONS } from '../../src/domain/background-jobs.js'
import type { Environment } from '../../src/engine/store/database/store.js'
import { type LogLevel, openLog } from '../../src/http/api/log.js'
import { JOB_FAILED } from '../../src/http/run-background-jobs.js'
import { serve } from '../../src/http/server.js'
import { gate } from '../support/gate.js'
import { handTimers } from '../support/timers.js'
import { echoApp } from './echo-app.js'

/** Starts a server with jobs, whose timers the test controls; returns access to its timers and log. */
async function serving(
  jobs: readonly BackgroundJob[],
  stopMilliseconds = 20_000,
  level: LogLevel = 'error',
  app = echoApp(),
) {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const timers = handTimers()
  const logger = openLog(level, to)
  const limits = { stopMilliseconds }
  const { address, stop } = await serve({ app, host: '127.0.0.1', port: 0, logger, limits, jobs, timers })
  /** Advances the timers, and lets due jobs begin. */
  const pass = async (milliseconds: number) => {
    timers.pass(milliseconds)
    await setImmediate()
  }
  return { app, address, timers, stop, pass, logged: () => lines.map((line) => JSON.parse(line)) }
}

/** Creates a job that records each of its rounds and then runs `work`. */
function noting(every: number, work: (environment: Environment) => Promise<void> = async () => undefined) {
  const rounds: Environment[] = []
  const job: BackgroundJob = {
    name: 'noting',
    every,
    run: ({ name }) => {
      rounds.push(name)
      return work(name)
    },
  }
  return { job, rounds }
}

describe('background jobs', () => {
  it('begin after the server listens, so a gateway without an answer delays no start', async () => {
    const asked = gate<[]>()
    const app = echoApp()
    app.gateway.findOutcomes = async () => await asked.enter()
    const { address, stop, pass } = await serving(BACKGROUND_JOBS, 20_000, 'error', app)
    await pass(0)
    await pass(0)
    await asked.entered
    expect((await fetch(`${address}/healthz`)).status).to.equal(200)
    asked.open([])
    await stop()
  })

  it('that call gateways receive the signal to stop', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const app = echoApp()
    app.gateway.findOutcomes = async (_inFlight, stopping) => {
      signals.push(stopping)
      return []
    }
    app.gateway.handleNotifications = async (stopping) => void signals.push(stopping)
    const { stop, pass } = await serving(BACKGROUND_JOBS, 20_000, 'error', app)
    await pass(0)
    await pass(0)
    await stop()
    expect(signals.map((signal) => signal?.aborted)).to.deep.equal([true, true, true, true])
  })

  it('run all jobs that are due at a gateway, such as reading its open disputes again', async () => {
    const ran: string[] = []
    const app = echoApp()
    app.opened.atGateway = async (gateway) => ({
      ...app.gateway,
      async runDueJob(job) {
        ran.push(`${job} at ${gateway}`)
        return []
      },
    })
    const { stop, pass } = await serving(BACKGROUND_JOBS, 20_000, 'error', app)
    await pass(0)
    await pass(0)
    await stop()
    expect(new Set(ran)).to.deep.equal(
      new Set([
        'expire_authorizations at up',
        'settlements at up',
        'read_disputes at up',
        'automatic_payments at up',
      ]),
    )
  })

  it('run at the start and repeatedly, for each environment', async () => {
    const { job, rounds } = noting(5_000)
    const { stop, pass } = await serving([job])
    await pass(0)
    expect(rounds).to.deep.equal(['test', 'live'])
    await pass(4_999)
    expect(rounds).to.have.length(2)
    await pass(1)
    expect(rounds).to.deep.equal(['test', 'live', 'test', 'live'])
    await stop()
  })

  it('are woken at once by a gateway notification, and run once more if already running', async () => {
    const held = gate<void>()
    const { job, rounds } = noting(60_000, (environment) =>
      environment === 'test' && rounds.length > 2 ? held.enter() : Promise.resolve(),
    )
    const { app, address, stop, pass } = await serving([{ ...job, name: NOTIFICATIONS }])
    await pass(0)
    const notify = async () => {
      const sent = request(`${address}/gateways/gw_1/notifications`, { method: 'POST' }).end('{}')
      const [answer] = await once(sent, 'response')
      answer.resume()
      return answer.statusCode
    }
    expect(await notify()).to.equal(404)
    await pass(0)
    expect(rounds).to.have.length(2)
    app.receiveNotification = async () => 'stored'
    expect(await notify()).to.equal(200)
    await pass(0)
    expect(rounds).to.deep.equal(['test', 'live', 'test', 'live'])
    expect(await notify()).to.equal(200)
    held.open()
    await setImmediate()
    await pass(0)
    expect(rounds).to.have.length(6)
    await stop()
  })

  it('wait for the end of their last round', async () => {
    const held = gate<void>()
    const { job, rounds } = noting(5_000, (environment) =>
      environment === 'test' ? held.enter() : Promise.resolve(),
    )
    const { stop, pass } = await serving([job])
    await pass(0)
    await pass(60_000)
    expect(rounds).to.deep.equal(['test', 'live', 'live'])
    held.open()
    await setImmediate()
    await pass(5_000)
    expect(rounds.filter((environment) => environment === 'test')).to.have.length(2)
    await stop()
  })

  it('that fail are logged and retried after half a minute; the others continue', async () => {
    const failing = noting(3_600_000, () => Promise.reject(new Error('the disk is full')))
    const fine = noting(1_000)
    const { stop, pass, logged } = await serving([failing.job, fine.job])
    await pass(0)
    expect(
      logged().map(({ msg, job, environment, err }) => [msg, job, environment, err.message]),
    ).to.deep.equal([
      [JOB_FAILED, 'noting', 'test', 'the disk is full'],
      [JOB_FAILED, 'noting', 'live', 'the disk is full'],
    ])
    await pass(29_999)
    expect([failing.rounds.length, fine.rounds.length]).to.deep.equal([2, 4])
    await pass(1)
    expect(failing.rounds).to.have.length(4)
    await stop()
  })

  it('are aborted and end before the app is closed when the server stops; no other begins', async () => {
    const begun = gate<void>()
    const ended = gate<void>()
    const long: BackgroundJob = {
      name: 'long',
      every: 1_000,
      run: async ({ name }, stopping) => {
        if (name === 'live') return
        stopping.addEventListener('abort', () => begun.open())
        await begun.enter()
        await ended.enter()
      },
    }
    const { app, timers, stop, pass } = await serving([long])
    await pass(0)
    const stopped = stop()
    await ended.entered
    expect(timers.waiting).to.deep.equal([])
    expect(app.closed.count).to.equal(0)
    ended.open()
    await stopped
    expect(app.closed.count).to.equal(1)
    expect(timers.waiting).to.deep.equal([])
  })

  it('that do not end delay a stop no longer than requests may', async () => {
    const { job } = noting(1_000, () => gate<void>().enter())
    const { app, stop, pass, logged } = await serving([job], 1, 'warn')
    await pass(0)
    await stop()
    expect(app.closed.count).to.equal(1)
    expect(logged().map(({ msg }) => msg)).to.deep.equal(['stopped before everything was done'])
  })
})
