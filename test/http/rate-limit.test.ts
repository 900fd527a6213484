import { expect } from 'chai'
import type { InjectOptions } from 'fastify'
import type { Limits } from '../../src/http/api/http-limits.js'
import { openLog } from '../../src/http/api/log.js'
import { UNTRUSTED_PROXY } from '../../src/http/server.js'
import { echoApp, KEY } from './echo-app.js'
import { injectable } from './inject.js'

const GET: InjectOptions = { method: 'GET', url: '/accounts' }
const UNKNOWN: InjectOptions = { ...GET, headers: { authorization: 'Bearer unknown' } }
const from = (remoteAddress: string, request = GET): InjectOptions => ({ ...request, remoteAddress })
/** A request as forwarded by a proxy on this machine. */
const forwarded = (forwardedFor: string): InjectOptions => ({
  ...GET,
  remoteAddress: '127.0.0.1',
  headers: { 'x-forwarded-for': forwardedFor },
})

function limited(limits: Partial<Limits>, trustProxy?: string) {
  const time = { now: Date.UTC(2027, 0, 1) }
  const clock = { now: () => time.now }
  const { ask, server, app } = injectable(limits, echoApp(), undefined, {
    clock,
    ...(trustProxy !== undefined && { trustProxy }),
  })
  const statuses = async (...requests: InjectOptions[]) => {
    const found: number[] = []
    for (const request of requests) found.push((await ask(request)).status)
    return found
  }
  return { ask, server, app, time, statuses }
}

describe('rate limits', () => {
  it('are off by default, except for unknown keys', async () => {
    const { ask, statuses } = limited({})
    const { headers } = await ask(GET)
    expect(headers).to.not.have.any.keys('ratelimit', 'ratelimit-policy')
    const many = await statuses(...Array.from({ length: 1_001 }, () => UNKNOWN))
    expect(many.filter((status) => status === 401)).to.have.length(1_000)
    expect(many.at(-1)).to.equal(429)
  })

  it('of gateway notifications are separate, and so is their maximum size', async () => {
    const { server } = limited({ notificationRate: 2, notificationBytes: 10, addressRate: 0 })
    const notify = async (payload: string) => {
      const url = '/gateways/gw_1/notifications'
      return (await server.inject({ method: 'POST', url, payload })).statusCode
    }
    expect([await notify('{}'), await notify('x'.repeat(11)), await notify('{}')]).to.deep.equal([
      404, 413, 429,
    ])
  })

  it('of a key are in the headers of every answer, refuse with the error object, and refill', async () => {
    const { ask, app, time } = limited({ keyRate: 2 })
    const first = await ask(GET)
    expect(first.headers).to.include({
      'ratelimit-policy': '"key";q=2;w=60',
      ratelimit: '"key";r=1;t=30',
    })
    await ask(GET)
    const refused = await ask({ ...GET, method: 'POST', payload: { name: 'Ada' } })
    expect(refused.status).to.equal(429)
    expect(refused.body).to.deep.equal({
      object: 'error',
      error_type: 'TooManyRequests',
      error_description: 'Too many requests with this key: at most 2 a minute',
      details: {},
    })
    expect(refused.headers).to.include({
      'retry-after': '30',
      'ratelimit-policy': '"key";q=2;w=60',
      ratelimit: '"key";r=0;t=60',
      'x-api-version': 'v1',
    })
    expect(app.requests).to.have.length(2)
    time.now += 30_000
    expect((await ask(GET)).status).to.equal(200)
  })

  it('of an address count all of its requests, of any kind', async () => {
    const { ask, server, statuses } = limited({ addressRate: 3 })
    const asked = await statuses(
      from('192.0.2.1'),
      from('192.0.2.1', UNKNOWN),
      from('192.0.2.1', { method: 'PATCH', url: '/accounts' }),
      from('192.0.2.1'),
      from('192.0.2.2'),
    )
    expect(asked).to.deep.equal([200, 401, 405, 429, 200])
    const refused = await ask(from('192.0.2.1'))
    expect(refused.body.error_description).to.equal('Too many requests from this address: at most 3 a minute')
    expect(refused.headers).to.include({ 'retry-after': '20', ratelimit: '"address";r=0;t=60' })
    const healthy = await server.inject({ url: '/healthz', remoteAddress: '192.0.2.1' })
    expect(healthy.statusCode).to.equal(200)
    expect(healthy.headers).to.not.have.property('ratelimit')
  })

  it('of address and key are shown together', async () => {
    const { ask } = limited({ addressRate: 60, keyRate: 6 })
    expect((await ask(GET)).headers).to.include({
      'ratelimit-policy': '"address";q=60;w=60, "key";q=6;w=60',
      ratelimit: '"address";r=59;t=1, "key";r=5;t=10',
    })
  })

  it('of unknown keys refuse further unknown keys from the address, but no known key', async () => {
    const { ask, app, time, statuses } = limited({ unknownKeyRate: 2 })
    const empty = { ...GET, headers: { authorization: '' } }
    const known = { ...GET, headers: { authorization: `Bearer ${KEY}` } }
    const found = await statuses(GET, empty, UNKNOWN, UNKNOWN, UNKNOWN, known, UNKNOWN, GET)
    expect(found).to.deep.equal([200, 401, 401, 401, 429, 200, 429, 200])
    expect(app.requests).to.have.length(3)
    const refused = await ask(UNKNOWN)
    expect(refused.body.error_description).to.equal(
      'Too many requests with unknown keys from this address: at most 2 a minute',
    )
    expect(refused.headers).to.include({ 'retry-after': '30', ratelimit: '"unknown-key";r=0;t=60' })
    time.now += 30_000
    expect((await ask(UNKNOWN)).status).to.equal(401)
  })

  it('do not count a visit of a page as an attempt with an unknown key', async () => {
    const { server, ask } = limited({ unknownKeyRate: 2 })
    for (let visits = 0; visits < 20; visits++) {
      const address = `/oauth/authorize?client_key=client_key_${visits}`
      const pages = await Promise.all([server.inject(address), server.inject('/oauth/authorize')])
      expect(pages.map(({ statusCode }) => statusCode)).to.not.include(429)
    }
    expect((await ask(UNKNOWN)).status).to.equal(401)
  })

  it('use the address from a proxy only if that proxy is trusted', async () => {
    const plain = limited({ addressRate: 1 })
    expect(await plain.statuses(forwarded('192.0.2.1'), forwarded('192.0.2.2'))).to.deep.equal([200, 429])
    const behind = limited({ addressRate: 1 }, 'loopback,10.0.0.0/8')
    const asked = await behind.statuses(
      forwarded('192.0.2.1'),
      forwarded('192.0.2.2'),
      forwarded('198.51.100.7, 192.0.2.1, 10.1.2.3'),
      { ...forwarded('192.0.2.3'), remoteAddress: '192.0.2.2' },
    )
    expect(asked).to.deep.equal([200, 200, 429, 429])
  })

  it('log a warning once about an untrusted proxy', async () => {
    const peersWarnedOf = async (trustProxy: string | undefined, ...requests: InjectOptions[]) => {
      const lines: string[] = []
      const log = openLog('warn', { write: (line) => void lines.push(line) })
      const { ask } = injectable({}, echoApp(), log, trustProxy === undefined ? {} : { trustProxy })
      for (const request of requests) await ask(request)
      return lines.map((line) => JSON.parse(line)).map(({ peer, msg }) => [peer, msg])
    }
    const warning = ['127.0.0.1', UNTRUSTED_PROXY]
    expect(await peersWarnedOf(undefined, GET)).to.deep.equal([])
    const twice = [forwarded('192.0.2.1'), forwarded('192.0.2.2')]
    expect(await peersWarnedOf(undefined, GET, ...twice)).to.deep.equal([warning])
    expect(await peersWarnedOf('loopback', ...twice)).to.deep.equal([])
    expect(await peersWarnedOf('10.0.0.0/8', ...twice)).to.deep.equal([warning])
  })
})
