import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { flushLog, LINES_DROPPED, openLog } from '../../../src/http/api/log.js'
import { LogDestination } from '../../../src/http/api/log-destination.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { inHome } from '../../support/home.js'
import { handTimers } from '../../support/timers.js'

/** More log lines than the buffer of a pipe holds. */
const LINES = 2_000
const parsed = (text: string): JsonObject[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('the destination of the log', () => {
  it('contains every line, in order', () =>
    inHome(async (home) => {
      const descriptor = openSync(join(home, 'log'), 'w')
      const log = openLog('info', new LogDestination({ descriptor }))
      for (let number = 0; number < LINES; number++) log.info({ number }, 'counted')
      await flushLog(log)
      closeSync(descriptor)
      const lines = parsed(readFileSync(join(home, 'log'), 'utf8'))
      expect(lines.map(({ number }) => number)).to.deep.equal(Array.from({ length: LINES }, (_, at) => at))
    }))

  it('contains no terminal control characters, whatever the input', () =>
    inHome(async (home) => {
      const descriptor = openSync(join(home, 'log'), 'w')
      const log = openLog('info', new LogDestination({ descriptor }))
      const problem = '/\u009b2J\u0007\u007f\u202e\u001b[2J'
      log.warn({ problem }, 'a gateway was called')
      await flushLog(log)
      closeSync(descriptor)
      const text = readFileSync(join(home, 'log'), 'utf8')
      expect(text).to.not.match(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
      expect(parsed(text)[0]?.problem).to.equal(problem)
    }))

  it('drops and counts lines that a full pipe does not accept, and reports the number later', () =>
    inHome(async (home) => {
      const pipe = join(home, 'log')
      execFileSync('mkfifo', [pipe])
      const reader = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK)
      const descriptor = openSync(pipe, constants.O_WRONLY)
      const timers = handTimers()
      const log = openLog('info', new LogDestination({ descriptor, maxWaiting: 100_000, timers }))
      for (let number = 0; number < LINES; number++) log.info({ number, text: 'x'.repeat(200) }, 'counted')
      // Returns although the pipe is full.
      await flushLog(log)
      let text = ''
      const bytes = Buffer.alloc(65_536)
      while (!text.includes(LINES_DROPPED)) {
        text += bytes.toString('utf8', 0, readSync(reader, bytes))
        timers.pass(1_000)
        await flushLog(log)
      }
      closeSync(descriptor)
      closeSync(reader)
      const lines = parsed(text.slice(0, text.lastIndexOf('\n')))
      const counted = lines.flatMap(({ number }) => (typeof number === 'number' ? [number] : []))
      expect(counted).to.deep.equal(counted.map((_, at) => at))
      const dropped = lines.find(({ msg }) => msg === LINES_DROPPED)
      expect(dropped?.lines).to.equal(LINES - counted.length)
    }))

  it('survives a full disk', async () => {
    const descriptor = openSync('/dev/full', 'w')
    const timers = handTimers()
    const log = openLog('info', new LogDestination({ descriptor, maxWaiting: 1_000, timers }))
    for (let number = 0; number < LINES; number++) log.info({ number }, 'counted')
    await flushLog(log)
    expect(timers.waiting).to.have.length(1)
    timers.pass(1_000)
    await flushLog(log)
    expect(timers.waiting).to.have.length(1)
    closeSync(descriptor)
  })
})
