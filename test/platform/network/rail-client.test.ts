import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { expect } from 'chai'
import { failedAnswer, openRailClient, type RailClient } from '../../../src/platform/network/rail-client.js'

describe('a request to a processor', () => {
  let server: Server
  let client: RailClient
  let address: string
  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/cut') request.socket.destroy()
      else if (request.url === '/late') return
      else if (request.url === '/moved') response.writeHead(302, { location: '/' }).end()
      else if (request.url === '/huge') response.end('x'.repeat(9 * 1024 * 1024))
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

  it('has the answer with its status and headers, and follows no redirect', async () => {
    const answer = await send('/')
    expect(answer).to.include({ kind: 'answered', status: 201, body: 'hello' })
    expect(answer.kind === 'answered' && answer.headers['x-kind']).to.equal('echo')
    expect(await send('/moved')).to.include({ kind: 'answered', status: 302 })
  })

  it('is unanswered when it may have arrived', async () => {
    expect(await send('/cut')).to.include({ kind: 'unanswered' })
    expect(await send('/late', 20)).to.include({ kind: 'unanswered', problem: 'No answer within 20 ms' })
    expect(await send('/huge')).to.include({ kind: 'unanswered' })
  })

  it('may have arrived when the way there was lost behind it', () => {
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

  it('was not sent when nobody listens, the name has no address, or it may not be reached', async () => {
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
