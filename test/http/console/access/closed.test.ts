import { expect } from 'chai'
import { openLog } from '../../../../src/http/api/log.js'
import { ListenError } from '../../../../src/http/protocol.js'
import { serve } from '../../../../src/http/server.js'
import { linksOf } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../../../support/console-world.js'
import { onSqlite } from '../../../support/databases.js'
import { httpService } from '../../../support/http.js'
import { rejection } from '../../../support/rejection.js'
import { echoApp } from '../../echo-app.js'

const HOME = '/console/test/'
const PATHS = [
  HOME,
  '/console/test/sign-in',
  `/console/enter/test_console_entry_${'A'.repeat(43)}`,
  '/console',
]

onSqlite((open) => {
  describe('the console', () => {
    let world: ConsoleWorld
    let tls: ConsoleWorld
    before(async () => {
      world = await consoleWorld(open)
      tls = await consoleWorld(open, { behindTls: true })
    })

    it('is off by default: its addresses answer like unknown ones', async () => {
      const service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      const statusOf = async (path: string, init?: RequestInit) =>
        (await fetch(service.address + path, { headers: { accept: 'text/html' }, ...init })).status
      for (const path of PATHS) {
        expect(await statusOf(path), path).to.equal(404)
        expect(await statusOf(path, { method: 'POST' }), path).to.equal(
          await statusOf('/nowhere', { method: 'POST' }),
        )
      }
    })

    it('is not served beyond this machine without TLS', async () => {
      const serving = serve({
        app: echoApp(),
        host: '0.0.0.0',
        port: 0,
        logger: openLog('silent'),
        jobs: [],
        console: true,
      })
      expect(await rejection(serving))
        .to.be.instanceOf(ListenError)
        .and.have.property('message')
        .that.contains('--behind-tls-proxy')
    })

    it('is refused over plain HTTP to requests through a proxy or for another host name', async () => {
      const entry = await world.entry()
      for (const path of [HOME, '/console/test/sign-in', entry])
        expect(await world.browser('192.0.2.1').get(path), path)
          .to.include({ status: 403 })
          .and.property('text')
          .that.contains('payctl serve --console --behind-tls-proxy')
      const { address } = world.service
      const named = await statusFor(address, HOME, 'shop.example.com')
      expect(named).to.equal(403)
    })

    it('cannot be framed, and cannot be read or opened as a window by a page of another site', async () => {
      const browser = await world.entered()
      for (const path of [...PATHS.slice(0, 3), '/console/test/set-up', '/console/test/nowhere']) {
        const { headers } = await browser.get(path)
        const from = world.browser()
        const shown = headers.get('location') === null ? headers : (await from.get(path)).headers
        expect(shown.get('content-security-policy'), path).to.contain("frame-ancestors 'none'")
        expect(shown.get('content-security-policy'), path).to.contain("form-action 'self'")
        expect(shown.get('x-frame-options'), path).to.equal('DENY')
        expect(shown.get('cross-origin-opener-policy'), path).to.equal('same-origin')
        expect(shown.get('referrer-policy'), path).to.equal('same-origin')
        expect(shown.get('cache-control'), path).to.equal('no-store')
        expect(shown.get('access-control-allow-origin'), path).to.equal(null)
      }
    })

    it('sets cookies that no script, no other site and, behind TLS, no other host can use', async () => {
      const browser = world.browser()
      const plain = await browser.submit(await browser.get(await world.entry()))
      expect(plain.headers.getSetCookie()).to.have.lengthOf(1)
      expect(plain.headers.getSetCookie()[0]).to.match(
        /^payctl_console=test\.[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/,
      )
      const remote = tls.browser('192.0.2.1')
      const key = await tls.setUp(remote)
      expect([...remote.cookies.keys()]).to.include('__Host-payctl_console')
      tls.clock.ahead += 60_000
      const fields = { email: EMAIL, password: PASSWORD, code: tls.code(key) }
      const signedIn = await remote.submit(
        await tls.browser('192.0.2.1').get('/console/test/sign-in'),
        fields,
      )
      expect(signedIn.status, 'the form of another browser').to.equal(403)
      const fresh = tls.browser('192.0.2.2')
      const set = (
        await fresh.submit(await fresh.get('/console/test/sign-in'), fields)
      ).headers.getSetCookie()
      expect(set).to.have.lengthOf(2)
      for (const cookie of set)
        expect(cookie).to.match(
          /^__Host-\w+=[\w.~-]+; Path=\/; HttpOnly; SameSite=Strict; Secure(; Max-Age=\d+)?$/,
        )
    })

    it('can be opened from a page of another site, although browsers send no cookie for such links', async () => {
      const goal = '/console/test/transactions?status=declined'
      const path = `/console/test/sign-in?to=${encodeURIComponent(goal)}`
      const arrived = await fetch(world.service.address + path, {
        headers: { 'sec-fetch-site': 'cross-site' },
      })
      expect(linksOf({ text: await arrived.text() })).to.include(goal)
      expect(linksOf(await world.browser().get(path))).to.not.include(goal)
    })

    it('behind TLS requires a second factor in test, too', async () => {
      const browser = tls.browser('192.0.2.3')
      await browser.submit(await browser.get(await tls.entry()))
      expect((await browser.get(HOME)).location).to.equal('/console/test/set-up')
      expect((await browser.get('/console/test/transactions')).location).to.contain('/console/test/set-up')
    })
  })
})

/** Status of a request with a given Host header. */
async function statusFor(address: string, path: string, host: string): Promise<number | undefined> {
  const { request } = await import('node:http')
  return await new Promise((resolve, reject) => {
    const sent = request(address + path, { headers: { host } }, (answer) => {
      resolve(answer.resume().statusCode)
    })
    sent.on('error', reject).end()
  })
}
