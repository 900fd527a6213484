import { expect } from 'chai'
import { owner } from '../../src/engine/core/request/principal.js'
import { type LogLevel, openLog, redact } from '../../src/http/api/log.js'
import type { JsonObject } from '../../src/schema/json.js'
import { type EchoApp, echoApp, KEY } from './echo-app.js'
import { injectable } from './inject.js'

const CARD = '4242 4242 4242 4242'

function logged(level: LogLevel, app = echoApp()) {
  const lines: string[] = []
  const log = openLog(level, { write: (line) => void lines.push(line) })
  const parsed = (): JsonObject[] => lines.map((line) => JSON.parse(line))
  return { ...injectable({}, app, log), text: () => lines.join(''), lines: parsed }
}

const payment = {
  method: 'POST' as const,
  url: `/transactions/${encodeURIComponent(CARD)}/?card=${CARD.replaceAll(' ', '')}`,
  payload: { card_number: CARD, card_code: '987' },
}

describe('the log', () => {
  it('contains for a request its path, key and status', async () => {
    const { ask, lines } = logged('info')
    const { headers } = await ask({ method: 'GET', url: '/accounts/acct_0123456789012345678901?name=Ada' })
    const [line] = lines()
    expect(line).to.include({
      request: headers['x-request-id'],
      method: 'GET',
      path: '/accounts/acct_0123456789012345678901',
      status: 200,
      key: 'key_echo',
      msg: 'request',
    })
    expect(line?.milliseconds).to.be.a('number')
  })

  it('contains no credential, body, query or card number', async () => {
    const app = echoApp(() => Promise.reject(new Error(`insert of ${CARD} by ${'test_secret_key_abcdef'}`)))
    const { ask, text } = logged('trace', app)
    await ask(payment)
    expect(text()).to.include('a request could not be answered').and.include('"status":500')
    // Times and the ids of requests may contain such digits by chance.
    const rest = text().replaceAll(/"(time|request)":"[^"]*"|"milliseconds":[\d.]+/g, '')
    expect(rest).to.not.match(/4242|987|abcdef/)
    expect(text()).to.not.include(KEY)
  })

  it('omits successful and refused requests by default', async () => {
    const { ask, lines } = logged('warn')
    await ask(payment)
    await ask({ ...payment, headers: { authorization: 'Bearer x' } })
    expect(lines()).to.deep.equal([])
  })

  it('omits requests that maintenance refuses', async () => {
    const app: EchoApp = {
      ...echoApp(),
      authenticate: async () => ({
        environment: 'test',
        principal: { ...owner, kind: 'key', manage: false },
        maintenance: '',
      }),
    }
    const { ask, lines } = logged('warn', app)
    expect((await ask(payment)).status).to.equal(503)
    expect(lines()).to.deep.equal([])
  })

  it('redacts long digits and keys, but not ids', () => {
    expect(redact('/a/4242-4242-4242-4242')).to.equal('/a/xxxx')
    expect(redact('/a/4242%204242%204242%204242')).to.equal('/a/xxxx')
    expect(redact('/txn_0Pq00012345678abcdefgh')).to.equal('/txn_0Pq00012345678abcdefgh')
    expect(redact('test_client_key_abc')).to.equal('test_client_key_xxxx')
  })
})
