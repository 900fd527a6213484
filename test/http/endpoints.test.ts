import { expect } from 'chai'
import type { InjectOptions } from 'fastify'
import type { Holder } from '../../src/domain/access/authenticate.js'
import type { Limits } from '../../src/http/api/http-limits.js'
import { refusalsOf } from '../../src/schema/openapi/statuses.js'
import { endpoints, pathWith } from '../engine/core/endpoints/rows.js'
import { BASIC, type EchoApp, echoApp } from './echo-app.js'
import { injectable } from './inject.js'

/**
 * Sends a request for every row of the table in docs/reference/paths.md, and checks each refusal that HTTP
 * answers before the core.
 */
describe('every path and method over HTTP', () => {
  const rows = endpoints.map(({ path, method, does }) => ({
    request: { method, url: pathWith(path) } satisfies InjectOptions,
    statuses: refusalsOf(does),
  }))

  /** Sends a request for every row to a server with these limits; returns the number of rows by status. */
  async function answers(more: InjectOptions, limits: Partial<Limits> = {}, app: EchoApp = echoApp()) {
    const { ask } = injectable(limits, app)
    const found = new Map<number, number>()
    for (const { request, statuses } of rows) {
      const { status } = await ask({ ...request, ...more })
      expect([status, ...statuses], `${request.method} ${request.url}`).to.satisfy(
        () => status === 200 || statuses.some((known) => known === status),
      )
      found.set(status, (found.get(status) ?? 0) + 1)
    }
    return Object.fromEntries(found)
  }

  const all = (status: number) => ({ [status]: rows.length })

  it('requires a key', async () => {
    expect(await answers({ headers: { authorization: '' } })).to.deep.equal(all(401))
    expect(await answers({ headers: { authorization: 'Bearer test_secret_key_other' } })).to.deep.equal(
      all(401),
    )
    expect(await answers({})).to.deep.equal(all(200))
  })

  it('refuses other versions of the API', async () => {
    expect(await answers({ headers: { 'x-api-version': 'v2' } })).to.deep.equal(all(400))
  })

  it('refuses a compressed body', async () => {
    expect(await answers({ headers: { 'content-encoding': 'gzip' } })).to.deep.equal(all(415))
  })

  it('refuses a body that is too large', async () => {
    const payload = { headers: { 'content-type': 'application/json' }, payload: '{"name":"too much"}' }
    const reads = rows.filter(({ request }) => request.method === 'GET').length
    const found = await answers(payload, { bodyBytes: 10 })
    expect(found).to.deep.equal({ 413: rows.length - reads, 200: reads })
  })

  it('refuses headers that are too large', async () => {
    const { server } = injectable({ headerBytes: 2_048 })
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    try {
      const headers = { authorization: BASIC, 'x-filler': 'x'.repeat(4_096) }
      for (const { request } of rows) {
        const { status } = await fetch(address + request.url, { method: request.method, headers })
        expect(status, `${request.method} ${request.url}`).to.equal(413)
      }
    } finally {
      await server.close()
    }
  })

  it('hides the details of an unexpected error', async () => {
    const app = echoApp(() => Promise.reject(new Error('at /secret/place')))
    expect(await answers({}, {}, app)).to.deep.equal(all(500))
  })

  it('is refused beyond the rate of the key', async () => {
    const once = await answers({}, { keyRate: 1 })
    expect(once).to.deep.equal({ 200: 1, 429: rows.length - 1 })
  })

  it('is refused while the environment is in maintenance', async () => {
    const app = echoApp()
    const holder = await app.authenticate('test_secret_key_echo')
    const closed: Holder | undefined = holder && {
      ...holder,
      principal: { ...holder.principal, manage: false },
      maintenance: 'back soon',
    }
    expect(await answers({}, {}, { ...app, authenticate: async () => closed })).to.deep.equal(all(503))
  })
})
