import { expect } from 'chai'
import { follow } from '../../../src/cli/commands/webhooks/follow.js'
import { listenLine } from '../../../src/cli/commands/webhooks/listen.js'
import { logLine } from '../../../src/cli/commands/webhooks/logs.js'
import { Position } from '../../../src/cli/commands/webhooks/position.js'
import { Refusal } from '../../../src/cli/terminal/failure/failure.js'
import type { JsonObject } from '../../../src/schema/json.js'

describe('the follow mode', () => {
  it('shows people the time in their zone, and programs UTC', () => {
    const people = { colour: false, width: 120, zone: 'America/New_York' }
    const event = {
      id: 'evt_1',
      trigger: 'refund',
      triggered_on_id: 'txn_1',
      triggered_on_value: 'processed',
    }
    const log = { http_status: 200, trigger: 'refund', triggered_on: { id: 'txn_1' }, url: 'u', attempt: 1 }
    const at = '2031-01-31 02:30:00'
    for (const [look, time] of [
      [people, '2031-01-30 21:30:00 EST'],
      [{ colour: false }, at],
    ] as const) {
      expect(listenLine({ ...event, triggered_at: at }, look)).to.equal(
        `${time}  refund  txn_1 processed  evt_1`,
      )
      expect(logLine({ ...log, problem: null, created_at: at }, look)).to.equal(
        `${time}  200  refund txn_1 → u, attempt 1`,
      )
    }
  })

  it('shows each object once, and continues when the service is back', async () => {
    const stopping = new AbortController()
    const unavailable = new Refusal({
      status: 503,
      headers: {},
      body: { object: 'error', error_type: 'ServiceUnavailable', error_description: 'Restarting' },
    })
    const answers = [[{ id: 'a' }, { id: 'b' }], unavailable, [{ id: 'b' }, { id: 'c' }]]
    const told: unknown[] = []
    const said: string[] = []
    await follow({
      interrupted: stopping.signal,
      every: 0,
      say: (text) => said.push(text),
      ask: async () => {
        const answer = answers.shift()
        if (answer instanceof Refusal) throw answer
        return answer ?? []
      },
      print: async ({ id }) => {
        told.push(id)
        if (id === 'c') stopping.abort()
      },
    })
    expect(told).to.deep.equal(['a', 'b', 'c'])
    expect(said).to.deep.equal(['Restarting Waiting …', 'Continuing.'])
  })

  it('requests the next page without a pause while more objects follow', async () => {
    const stopping = new AbortController()
    const waiting = ['a', 'b', 'c']
    const told: unknown[] = []
    await follow({
      interrupted: stopping.signal,
      // Longer than the time limit of the test, so that any pause would fail it.
      every: 3_600_000,
      say: () => undefined,
      ask: async () => waiting.splice(0, 1).map((id) => ({ id })),
      isBehind: () => waiting.length > 0,
      print: async ({ id }) => {
        told.push(id)
        if (id === 'c') stopping.abort()
      },
    })
    expect(told).to.deep.equal(['a', 'b', 'c'])
  })

  it('is behind the newest event after each full answer with a new cursor, except the first', () => {
    const position = new Position(0)
    const limit = Number(new Map(position.query()).get('limit'))
    const full = Array.from({ length: limit }, (_, n) => ({ id: `evt_${n}` }))
    const answers = [
      { events: full, next: 'a' },
      { events: full, next: 'b' },
      { events: full, next: 'b' },
      { events: full.slice(1), next: 'c' },
    ]
    const isBehindAfter = (answer: JsonObject) => {
      position.take(answer)
      return position.isBehind
    }
    expect(answers.map(isBehindAfter)).to.deep.equal([false, true, false, false])
  })

  it('ends with any other error', async () => {
    const refused = new Refusal({ status: 403, headers: {}, body: { error_type: 'Forbidden' } })
    const ending = follow({
      interrupted: new AbortController().signal,
      say: () => undefined,
      ask: () => Promise.reject(refused),
      print: async () => undefined,
    })
    expect(await ending.catch((error: unknown) => error)).to.equal(refused)
  })
})
