import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { failedAnswer, openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'
import { ReadBudgets } from '../../../src/platform/network/read-budget.js'

/** Sends an endless body, as fast as it is read. */
function pour(response: ServerResponse): void {
  const part = Buffer.alloc(64 * 1024)
  const more = () => {
    while (!response.destroyed && response.write(part));
  }
  response.on('drain', more)
  more()
}

/** Sends a byte a millisecond. */
function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 1)
  response.on('close', () => clearInterval(timer))
}

const ANSWERS: Readonly<Record<string, (response: ServerResponse) => void>> = {
  '/cut': (response) => response.destroy(),
  '/late': () => undefined,
  '/moved': (response) => response.writeHead(302, { location: '/' }).end(),
  '/huge': (response) => response.end('x'.repeat(9 * 1024 * 1024)),
  '/endless': pour,
  '/bytewise': trickle,
  '/compressed': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(64 * 1024 * 1024))),
}

describe('a request to a processor', () => {
  let server: Server
  let client: RailClient
  let address: string
  before(async () => {
    server = createServer((request, response) => {
      const answer = ANSWERS[request.url ?? '']
      if (answer) answer(response)
      else request.pipe(response.writeHead(201, { 'X-Kind': 'echo' }))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const bound = server.address()
    address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
    client = openRailClient({ loopback: true })
  })
  after(async () => {
    await client.close()
    server.closeAllConnections()
    server.close()
  })
  const send = (path: string, milliseconds?: number) =>
    client.send({
      method: 'POST',
      url: `${address}${path}`,
      headers: { 'content-type': 'text/plain' },
      body: 'hello',
      ...(milliseconds !== undefined && { milliseconds }),
    })

  it('gets the answer with its status and headers, and follows no redirect', async () => {
    const answer = await send('/')
    expect(answer).to.include({ kind: 'answered', status: 201, body: 'hello' })
    expect(answer.kind === 'answered' && answer.headers['x-kind']).to.equal('echo')
    expect(await send('/moved')).to.include({ kind: 'answered', status: 302 })
  })

  it('is unanswered if it may have reached the processor', async () => {
    expect(await send('/cut')).to.include({ kind: 'unanswered' })
    expect(await send('/late', 20)).to.include({ kind: 'unanswered', problem: 'No answer within 20 ms' })
    expect(await send('/huge')).to.include({ kind: 'unanswered' })
  })

  it('is unanswered if the answer is endless, compressed, or arrives byte by byte', async () => {
    expect(await send('/endless')).to.include({
      kind: 'unanswered',
      problem: 'The answer is longer than 2097152 bytes',
    })
    expect(await send('/compressed')).to.include({ kind: 'unanswered', problem: 'The answer is compressed' })
    expect(await send('/bytewise', 50)).to.include({ kind: 'unanswered', problem: 'No answer within 50 ms' })
  })

  it('counts towards a time budget, and is aborted at its end; no further request is sent', async () => {
    const stopping = new AbortController()
    const budget = new ReadBudgets().begin(stopping.signal)
    const limited = budget.client(client)
    const get = (path: string) => limited.send({ method: 'GET', url: `${address}${path}`, headers: {} })
    expect(await get('/')).to.include({ kind: 'answered', bytes: 0 })
    expect(budget.end).to.equal(undefined)
    const late = get('/late')
    stopping.abort()
    expect(await late).to.include({ kind: 'unanswered' })
    expect(await get('/')).to.include({ kind: 'not_sent' })
    expect(budget.end).to.match(/does not come to an end/)
  })

  it('is not sent after its budget of bytes is spent', async () => {
    const budget = new ReadBudgets().begin()
    const full = { kind: 'answered', status: 200, headers: {}, body: '', bytes: 16 * 1024 * 1024 } as const
    const limited = budget.client({ send: async () => full, close: async () => undefined })
    const kinds = []
    for (let sent = 0; sent < 3; sent++)
      kinds.push((await limited.send({ method: 'GET', url: address, headers: {} })).kind)
    expect(kinds).to.deep.equal(['answered', 'answered', 'not_sent'])
  })

  it('may have reached the processor if the connection fails after it is made', () => {
    for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ECONNREFUSED'])
      for (const [syscall, kind] of [
        ['connect', 'not_sent'],
        ['read', 'unanswered'],
        ['write', 'unanswered'],
      ]) {
        const failed = Object.assign(new Error(code), { code, syscall })
        expect(failedAnswer(failed), `${code} ${syscall}`).to.include({ kind })
        expect(failedAnswer(new TypeError('fetch failed', { cause: failed }))).to.include({ kind })
      }
    const protocol = Object.assign(new Error('renegotiation'), { code: 'ERR_TLS_RENEGOTIATION_DISABLED' })
    expect(failedAnswer(protocol)).to.include({ kind: 'unanswered' })
  })

  it('was not sent if no server listens, the name has no address, or the address is forbidden', async () => {
    const url = 'http://127.0.0.1:1/'
    expect(await client.send({ method: 'GET', url, headers: {} })).to.include({ kind: 'not_sent' })
    const nowhere = { method: 'GET', url: 'http://nowhere.invalid/', headers: {} } as const
    expect(await client.send(nowhere)).to.include({ kind: 'not_sent' })
    const guarded = openRailClient({ loopback: false })
    expect(await guarded.send({ method: 'GET', url: `${address}/`, headers: {} })).to.include({
      kind: 'not_sent',
    })
    await guarded.close()
  })
})
