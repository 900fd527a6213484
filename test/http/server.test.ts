import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect } from 'chai'
import type { ApiResponse } from '../../src/engine/core/request/request.js'
import type { Limits } from '../../src/http/api/http-limits.js'
import { openLog } from '../../src/http/api/log.js'
import { ListenError } from '../../src/http/protocol.js'
import { type Serving, serve } from '../../src/http/server.js'
import { gate } from '../support/gate.js'
import { BASIC, type EchoApp, echoApp } from './echo-app.js'
import { lastAnswer, rawClient } from './raw-client.js'

const GET = `GET /accounts HTTP/1.1\r\nHost: x\r\nAuthorization: ${BASIC}\r\n\r\n`
const DONE: ApiResponse = { status: 200, body: { object: 'done' }, headers: {} }

describe('the HTTP server', () => {
  const serving: Serving[] = []

  const begin = async (app: EchoApp = echoApp(), limits: Partial<Limits> = {}): Promise<Serving> => {
    const begun = await serve({ app, host: '127.0.0.1', port: 0, logger: openLog('silent'), limits })
    serving.push(begun)
    return begun
  }

  afterEach(async () => {
    for (const begun of serving.splice(0)) await begun.stop()
  })

  it('answers many requests of one connection', async () => {
    const client = await rawClient((await begin()).address)
    client.say(GET)
    await client.hear(/"echo"/)
    client.say(GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    expect((await client.ended()).match(/HTTP\/1.1 200/g)).to.have.length(2)
  })

  describe('on a connection that cannot continue', () => {
    const refused: [what: string, said: string, status: number, limits?: Partial<Limits>][] = [
      ['bytes that are not HTTP', 'HELO there\r\n\r\n', 400],
      [
        'headers that are too long',
        `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${'x'.repeat(70_000)}\r\n\r\n`,
        413,
      ],
      ['headers that never end', 'GET / HTTP/1.1\r\nHost: x\r\n', 400, { requestMilliseconds: 100 }],
      ['a silent connection', '', 400, { requestMilliseconds: 100 }],
      [
        'a body that never comes',
        `POST /accounts HTTP/1.1\r\nHost: x\r\nAuthorization: ${BASIC}\r\nContent-Length: 9\r\n\r\n{"a"`,
        400,
        { requestMilliseconds: 100 },
      ],
      [
        'lengths that contradict',
        'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
        400,
      ],
    ]
    for (const [what, said, status, limits] of refused) {
      it(`refuses ${what} with the error object, and closes it`, async () => {
        const app = echoApp()
        const client = await rawClient((await begin(app, limits)).address)
        client.say(said)
        const answer = lastAnswer(await client.ended())
        expect(answer.status).to.equal(status)
        expect(answer.body).to.include({ object: 'error' })
        expect(app.requests).to.deep.equal([])
      })
    }
  })

  it('refuses a request without Host', async () => {
    const client = await rawClient((await begin()).address)
    client.say('GET /accounts HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(lastAnswer(await client.ended())).to.have.nested.property(
      'body.error_description',
      'The Host header is missing',
    )
  })

  it('refuses methods that only Node knows', async () => {
    const client = await rawClient((await begin()).address)
    client.say('QUERY /accounts HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(lastAnswer(await client.ended())).to.deep.include({ status: 405 })
  })

  it('answers a method that only the HTTP parser knows with a client error, even without a version of HTTP', async () => {
    for (const said of ['PRI *\r\n\r\n', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'PRI /accounts\r\n\r\n']) {
      const client = await rawClient((await begin()).address)
      client.say(said)
      const { status, body } = lastAnswer(await client.ended())
      expect([400, 405], said).to.include(status)
      expect(body).to.include({ object: 'error' })
    }
  })

  it('refuses a request with a header repeated that must be unique, for any path', async () => {
    const app = echoApp()
    const { address } = await begin(app)
    const repeated = (path: string, ...headers: string[]) =>
      `GET ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`
    for (const [text, name] of [
      [repeated('/accounts', 'Host: a', 'Host: b', `Authorization: ${BASIC}`), 'host'],
      [repeated('/healthz', 'HOST: a', 'host: a'), 'host'],
      [
        repeated('/accounts', 'Host: a', `Authorization: ${BASIC}`, 'Authorization: Basic x'),
        'authorization',
      ],
      [repeated('/accounts', 'Host: a', 'Idempotency-Key: a', 'idempotency-key: b'), 'idempotency-key'],
    ] as const) {
      const client = await rawClient(address)
      client.say(text)
      const { status, body } = lastAnswer(await client.ended())
      expect([status, body.error_description]).to.deep.equal([400, `The header ${name} may appear only once`])
    }
    expect(app.requests).to.deep.equal([])
  })

  it('reports the reason to a client that sends far too much', async () => {
    const { address } = await begin(echoApp(), { bodyBytes: 1_000_000 })
    const response = await fetch(`${address}/accounts`, {
      method: 'POST',
      headers: { authorization: BASIC, 'content-type': 'application/json' },
      body: 'x'.repeat(9_000_000),
    })
    expect(response.status).to.equal(413)
    expect(await response.json()).to.include({
      object: 'error',
      error_type: 'PayloadTooLarge',
      error_description:
        'The body may have at most 1000000 bytes. Send files as multipart/form-data, which may have at most 11534336 bytes',
    })
  })

  it('survives a client that disconnects during its request', async () => {
    const { address } = await begin()
    const client = await rawClient(address)
    client.say(`POST /accounts HTTP/1.1\r\nHost: x\r\nAuthorization: ${BASIC}\r\nContent-Length: 9\r\n\r\n{`)
    client.socket.destroy()
    await client.ended()
    expect((await fetch(`${address}/healthz`)).status).to.equal(200)
  })

  describe('stopping', () => {
    it('finishes running requests, closes idle connections, accepts no more, and closes the app', async () => {
      const begun = gate<ApiResponse>()
      const app = echoApp(() => begun.enter())
      const { address, stop } = await begin(app)
      const busy = await rawClient(address)
      const idle = await rawClient(address)
      const mute = await rawClient(address)
      idle.say('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await idle.hear(/"ok"/)
      busy.say(GET)
      await begun.entered
      const stopped = stop()
      await idle.ended()
      expect(await mute.ended()).to.equal('')
      const late = await rawClient(address).catch((error: unknown) => error)
      expect(late).to.be.instanceOf(Error).with.property('code', 'ECONNREFUSED')
      expect(app.closed.count).to.equal(0)
      begun.open(DONE)
      expect(lastAnswer(await busy.ended())).to.deep.equal({ status: 200, body: { object: 'done' } })
      await stopped
      expect(app.closed.count).to.equal(1)
    })

    it('aborts requests that are not finished in time', async () => {
      const begun = gate<ApiResponse>()
      const { address, stop } = await begin(
        echoApp(() => begun.enter()),
        { stopMilliseconds: 1 },
      )
      const busy = await rawClient(address)
      busy.say(GET)
      await begun.entered
      await stop()
      expect(await busy.ended()).to.equal('')
    })

    it('happens once if it is called twice', async () => {
      const app = echoApp()
      const { stop } = await begin(app)
      await Promise.all([stop(), stop()])
      expect(app.closed.count).to.equal(1)
    })
  })

  describe('does not start', () => {
    const refusal = async (host: string, port: number) => {
      const app = echoApp()
      const refused = await serve({ app, host, port, logger: openLog('silent') }).catch(
        (error: unknown) => error,
      )
      expect(app.closed.count).to.equal(1)
      return expect(refused).to.be.instanceOf(ListenError)
    }

    it('on a port in use', async () => {
      const other = createServer().listen(0, '127.0.0.1')
      await once(other, 'listening')
      const address = other.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      const refused = await refusal('127.0.0.1', port)
      refused.with.property(
        'message',
        `Port ${port} of 127.0.0.1 is taken by another program: stop it, or choose another port.`,
      )
      other.close()
    })

    it('on an address of another machine', async () => {
      const refused = await refusal('192.0.2.1', 0)
      refused.with.property(
        'message',
        '192.0.2.1 is not an address of this machine: choose one, such as 127.0.0.1.',
      )
    })

    it('on an invalid port', async () => {
      const refused = await refusal('127.0.0.1', 65_536)
      refused.with.property('message', '65536 is not a port: choose one from 0 to 65535.')
    })
  })
})
