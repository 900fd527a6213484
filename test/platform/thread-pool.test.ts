import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { NoThread, ThreadPool, type ThreadPoolOptions } from '../../src/platform/thread-pool.js'
import { rejection } from '../support/rejection.js'
import { handTimers } from '../support/timers.js'

const ECHO = fileURLToPath(new URL('./echo-thread.cjs', import.meta.url))

interface Question {
  readonly say: string
  readonly gate?: SharedArrayBuffer
  readonly fails?: string
  /** Whether the request ends only when it is cancelled. */
  readonly lasts?: true
}

describe('a pool of threads', () => {
  const pools: ThreadPool<Question, string>[] = []
  let timers = handTimers()
  let started = 0

  function poolOf(more: Partial<ThreadPoolOptions> = {}): ThreadPool<Question, string> {
    const workerData = () => `thread ${++started}:`
    const options = { file: ECHO, workerData, threads: 1, maxWaiting: 2, timeLimit: 1_000, timers }
    const pool = new ThreadPool<Question, string>({ ...options, ...more })
    pools.push(pool)
    return pool
  }

  beforeEach(() => {
    timers = handTimers()
    started = 0
  })
  afterEach(async () => {
    for (const pool of pools.splice(0)) await pool.close()
  })

  it('answers in the order of the requests, on a thread that it reuses', async () => {
    const pool = poolOf()
    const answered: string[] = []
    await Promise.all(['a', 'b'].map(async (say) => answered.push(await pool.run({ say }))))
    answered.push(await pool.run({ say: 'c' }))
    expect(answered).to.deep.equal(['thread 1: a', 'thread 1: b', 'thread 1: c'])
    expect(timers.waiting).to.deep.equal([])
  })

  it('uses another thread while one is busy, up to its maximum', async () => {
    const pool = poolOf({ threads: 2 })
    const gate = closedGate()
    const slow = pool.run({ say: 'slow', gate })
    expect(await pool.run({ say: 'a' })).to.equal('thread 2: a')
    expect(await pool.run({ say: 'b' })).to.equal('thread 2: b')
    open(gate)
    expect(await slow).to.equal('thread 1: slow')
  })

  it('refuses a request if the queue is full', async () => {
    const pool = poolOf()
    const gate = closedGate()
    const waiting = [pool.run({ say: 'slow', gate }), pool.run({ say: 'a' }), pool.run({ say: 'b' })]
    expect(await rejection(pool.run({ say: 'c' })))
      .to.be.instanceOf(NoThread)
      .with.property('reason', 'full')
    open(gate)
    expect(await Promise.all(waiting)).to.have.length(3)
  })

  it('limits the wait, and answers the next request when the thread is free', async () => {
    const pool = poolOf()
    const gate = closedGate()
    const slow = pool.run({ say: 'slow', gate })
    const queued = pool.run({ say: 'queued' })
    const refusals = [rejection(slow), rejection(queued)]
    timers.pass(1_000)
    for (const refusal of refusals)
      expect(await refusal)
        .to.be.instanceOf(NoThread)
        .with.property('reason', 'late')
    const next = pool.run({ say: 'next' })
    open(gate)
    expect(await next).to.equal('thread 1: next')
  })

  it('skips requests of clients that have gone', async () => {
    const pool = poolOf()
    const gate = closedGate()
    const slow = pool.run({ say: 'slow', gate })
    const gone = rejection(pool.run({ say: 'gone', fails: 'was run' }, () => false))
    open(gate)
    expect(await slow).to.equal('thread 1: slow')
    expect(await gone).to.be.instanceOf(NoThread)
    expect(await pool.run({ say: 'a' })).to.equal('thread 1: a')
  })

  it('stops a busy thread if the client has gone or the wait is too long', async () => {
    const pool = poolOf()
    let isThere = true
    const gone = pool.run({ say: 'gone', lasts: true }, () => isThere)
    timers.pass(200)
    isThere = false
    timers.pass(200)
    expect(await gone).to.equal('thread 1: gone')
    const late = rejection(pool.run({ say: 'late', lasts: true }))
    timers.pass(1_000)
    expect(await late).to.have.property('reason', 'late')
    expect(await pool.run({ say: 'next' })).to.equal('thread 1: next')
    expect(timers.waiting).to.deep.equal([])
  })

  it('reports the error of a thread, and starts another', async () => {
    const pool = poolOf()
    const failing = pool.run({ say: 'a', fails: 'out of order' })
    const next = pool.run({ say: 'b' })
    expect(await rejection(failing)).to.have.property('message', 'out of order')
    expect(await next).to.equal('thread 2: b')
  })

  it('refuses waiting requests when it is closed, and starts no thread afterwards', async () => {
    const pool = poolOf()
    const gate = closedGate()
    const refusals = ['busy', 'waits'].map((say) => rejection(pool.run({ say, gate })))
    const closing = pool.close()
    open(gate)
    await closing
    refusals.push(rejection(pool.run({ say: 'late' })))
    for (const refusal of refusals)
      expect(await refusal)
        .to.be.instanceOf(NoThread)
        .with.property('reason', 'closed')
    expect(started).to.equal(1)
    expect(timers.waiting).to.deep.equal([])
  })

  it('reports a missing file', async () => {
    const pool = poolOf({ file: `${ECHO}.gone` })
    expect(await rejection(pool.run({ say: 'a' }))).to.match(/Cannot find module/)
  })
})

function closedGate(): SharedArrayBuffer {
  return new SharedArrayBuffer(4)
}

function open(gate: SharedArrayBuffer): void {
  const state = new Int32Array(gate)
  Atomics.store(state, 0, 1)
  Atomics.notify(state, 0)
}
