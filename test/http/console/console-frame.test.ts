import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import { consoleServer } from '../../support/console.js'
import { openCore, type TestCore } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { expectHtml } from '../../support/strict-html.js'
import { injectable } from '../inject.js'

describe('the frame of the console', () => {
  onSqlite((open) => {
    let core: TestCore
    let server: FastifyInstance
    const get = (url: string) => server.inject({ method: 'GET', url })

    before(async () => {
      core = await openCore(open)
      server = consoleServer(core.app)
    })

    it('shows its environment in the bar and in the title', async () => {
      const test = await get('/console/test/')
      expect(test.statusCode).to.equal(200)
      expect(test.body).to.include('<title>[test] Home').and.include('Test: no money moves')
      const live = await get('/console/live/')
      expect(live.body).to.include('<title>Home').and.not.include('no money moves')
      expect(test.body).to.include('<body class="test">')
      expect(live.body).to.include('<body class="live">')
    })

    it('links to the same page of the other environment', async () => {
      const { body } = await get('/console/test/search?q=a%26b')
      expect(body).to.include('href="/console/live/search?q=a%26b"')
    })

    it('sends the security policy of the console with every page', async () => {
      const { headers } = await get('/console/test/')
      expect(headers['content-security-policy']).to.equal(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; " +
          'trusted-types payctl',
      )
      expect(headers).to.include({
        'referrer-policy': 'same-origin',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'cross-origin-opener-policy': 'same-origin',
      })
    })

    it('loads a stylesheet and a module from immutable addresses', async () => {
      const { body } = await get('/console/test/')
      const addresses = [...body.matchAll(/(?:href|src)="(\/console\/files\/[^"]+)"/g)].map(
        ([, one = '']) => one,
      )
      expect(addresses).to.have.length(2)
      for (const address of addresses) {
        const file = await get(address)
        expect(file.statusCode, address).to.equal(200)
        expect(file.headers['cache-control']).to.equal('public, max-age=31536000, immutable')
      }
    })

    it('answers 404 inside the frame for an unknown page', async () => {
      const { statusCode, body } = await get('/console/test/no/such/page')
      expect(statusCode).to.equal(404)
      expectHtml(body)
      expect(body).to.include('Sign out')
    })

    it('hides from a viewer what only other roles may do', async () => {
      const viewers = consoleServer(core.app, { role: 'viewer' })
      const { body } = await viewers.inject({ method: 'GET', url: '/console/test/' })
      expect(body).to.include('/console/test/transactions').and.not.include('/console/test/settings')
    })
  })

  it('is served only if the service was started with it', async () => {
    const { server } = injectable()
    const { statusCode } = await server.inject({ method: 'GET', url: '/console/test/' })
    expect(statusCode).to.equal(401)
  })
})
