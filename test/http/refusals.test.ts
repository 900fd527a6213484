import { expect } from 'chai'
import type { InjectOptions } from 'fastify'
import { echoApp } from './echo-app.js'
import { injectable } from './inject.js'

const json = (payload: string | Buffer): InjectOptions => ({
  method: 'POST',
  url: '/transactions',
  headers: { 'content-type': 'application/json' },
  payload,
})

const typed = (type: string, payload = 'x'): InjectOptions => ({
  ...json(payload),
  headers: { 'content-type': type },
})
const header = (name: string, value: string): InjectOptions => ({
  method: 'POST',
  url: '/accounts',
  headers: { [name]: value },
})

const REFUSED: [what: string, status: number, type: string, request: InjectOptions][] = [
  ['broken JSON', 400, 'BadRequest', json('{"amount":')],
  ['JSON that is not UTF-8', 400, 'BadRequest', json(Buffer.from([0x22, 0xff, 0x22]))],
  ['JSON nested too deep', 400, 'BadRequest', json('['.repeat(100) + ']'.repeat(100))],
  ['a prototype name', 400, 'BadRequest', json('{"__proto__":{"manage":true}}')],
  ['a broken form', 400, 'BadRequest', typed('application/x-www-form-urlencoded', 'a=%zz')],
  ['a broken multipart', 400, 'BadRequest', typed('multipart/form-data; boundary=x', '--x\r\n')],
  ['multipart without boundary', 400, 'BadRequest', typed('multipart/form-data')],
  ['text', 415, 'UnsupportedMediaType', typed('text/plain')],
  ['XML', 415, 'UnsupportedMediaType', typed('application/xml')],
  ['no content type', 415, 'UnsupportedMediaType', typed('')],
  ['a malformed content type', 415, 'UnsupportedMediaType', typed('json')],
  ['another charset', 415, 'UnsupportedMediaType', typed('application/json; charset=utf-16', '{}')],
  ['a compressed body', 415, 'UnsupportedMediaType', header('content-encoding', 'gzip')],
  ['a large body', 413, 'PayloadTooLarge', json(`"${'x'.repeat(5 * 1024 * 1024)}"`)],
  ['a malformed path', 400, 'BadRequest', { method: 'GET', url: '/accounts/%zz' }],
  ['a malformed query', 400, 'BadRequest', { method: 'GET', url: '/accounts?name=%E0%A4%A' }],
  ['an endless query', 400, 'BadRequest', { method: 'GET', url: `/accounts?${'a=1&'.repeat(1_001)}` }],
  ['an empty idempotency key', 400, 'BadRequest', header('idempotency-key', '')],
  ['a long idempotency key', 400, 'BadRequest', header('idempotency-key', 'x'.repeat(256))],
  ['PATCH', 405, 'MethodNotAllowed', { method: 'PATCH', url: '/accounts' }],
  ['OPTIONS', 405, 'MethodNotAllowed', { method: 'OPTIONS', url: '/accounts' }],
]

describe('the HTTP interface', () => {
  for (const [what, status, type, request] of REFUSED) {
    it(`answers ${what} with ${status} ${type}`, async () => {
      const { ask, app } = injectable()
      const answer = await ask(request)
      expect(answer.status).to.equal(status)
      expect(answer.body).to.have.all.keys('object', 'error_type', 'error_description', 'details')
      expect(answer.body).to.include({ object: 'error', error_type: type })
      expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8')
      expect(app.requests).to.deep.equal([])
    })
  }

  it('names the methods of a path when it refuses another method', async () => {
    const { ask, server } = injectable()
    expect((await ask({ method: 'PATCH', url: '/accounts' })).headers.allow).to.equal(
      'GET, POST, PUT, DELETE',
    )
    const options = await server.inject({ method: 'OPTIONS', url: '/accounts' })
    expect([options.statusCode, options.headers.allow]).to.deep.equal([405, 'GET, POST, PUT, DELETE'])
    expect((await server.inject({ method: 'POST', url: '/healthz' })).statusCode).to.equal(401)
  })

  it('hides the details of an unexpected error', async () => {
    const app = echoApp(() => Promise.reject(new Error('at /secret/place with 4242424242424242')))
    const { ask } = injectable({}, app)
    const answer = await ask({ method: 'GET', url: '/accounts' })
    expect(answer.status).to.equal(500)
    expect(answer.body).to.include({ object: 'error', error_type: 'InternalServerError' })
    expect(JSON.stringify(answer.body)).to.not.match(/secret|4242|stack/)
  })
})
