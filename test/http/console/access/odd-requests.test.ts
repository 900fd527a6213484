import { request } from 'node:http'
import { expect } from 'chai'
import type { ConsoleBrowser } from '../../../support/console-browser.js'
import { type ConsoleWorld, consoleWorld } from '../../../support/console-world.js'
import { onSqlite } from '../../../support/databases.js'

interface RawAnswer {
  readonly status: number
  readonly location: string
  readonly cache: string | undefined
  readonly allowed: string | undefined
  readonly text: string
}

type Headers = Readonly<Record<string, string>>

const HOME = '/console/test/'

/** Addresses that resemble pages of the console, with the status for a session in test. */
const PATHS: readonly (readonly [path: string, status: number])[] = [
  ['/console/testing/', 401],
  ['/console/olive/', 401],
  ['/console/TEST/', 401],
  ['/Console/test/', 401],
  ['//console/test/', 401],
  ['/console//test/', 401],
  ['/console\\test\\', 401],
  ['/console/test/../live/', 404],
  ['/console/test/%2e%2e/live/', 404],
  ['/console/test/transactions/..%2f..%2fadmin%2fkeys', 404],
  ['/console/test/%00', 404],
  ['/console/test/;x', 404],
  ['/console/test/sign-out', 404],
  ['/console/test/sign%2Dout', 404],
  ['/console/enter/', 404],
  ['/console/test/%ff', 400],
  [`/console/test/${'a'.repeat(9_000)}`, 404],
  [`/console/test/${'a'.repeat(90_000)}`, 413],
]

onSqlite((open) => {
  describe('an unusual request to the console', () => {
    let world: ConsoleWorld
    let tls: ConsoleWorld
    let browser: ConsoleBrowser
    before(async () => {
      world = await consoleWorld(open)
      tls = await consoleWorld(open, { behindTls: true })
      browser = await world.entered()
    })

    it('for another path opens no page of this or the other environment', async () => {
      for (const [path, status] of PATHS) {
        const answer = await raw('GET', path)
        expect(answer.status, path.slice(0, 60)).to.equal(status)
        expect(answer.text, path.slice(0, 60)).to.not.contain('Live: money moves')
      }
      const live = await raw('GET', '/console/live/../test/')
      expect(live).to.include({
        status: 303,
        location: '/console/live/sign-in?to=%2Fconsole%2Flive%2F..%2Ftest%2F',
      })
      expect((await browser.get(live.location)).status).to.equal(200)
    })

    it('with another method writes no row, and no cookie grants it access', async () => {
      const paths = [
        HOME,
        '/console/test/sign-out',
        '/console/test/set-up',
        '/console/test/settings/keys/new',
      ]
      for (const path of paths)
        for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'])
          expect((await raw(method, path)).status, `${method} ${path}`).to.be.oneOf([401, 405])
      const asked = { origin: 'https://example.com', 'access-control-request-method': 'POST' }
      expect(await raw('OPTIONS', HOME, asked)).to.include({ status: 204, allowed: undefined })
      expect(await raw('HEAD', HOME)).to.include({ status: 200, text: '' })
      expect((await browser.get(HOME)).status).to.equal(200)
    })

    it('over plain HTTP for another host, or through a proxy, is refused', async () => {
      const strange: readonly Headers[] = [
        { host: 'pay.example.com' },
        { host: '127.0.0.1.example.com' },
        { host: 'localhost@example.com' },
        { host: 'localhost.example.com:80' },
        { host: '0.0.0.0' },
        { host: '192.0.2.1' },
        ...['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded', 'via', 'x-real-ip'].map(
          (name) => ({ [name]: '127.0.0.1' }),
        ),
      ]
      for (const headers of strange)
        for (const path of [HOME, '/console/test/sign-in', await world.entry()])
          expect((await raw('GET', path, headers)).status, JSON.stringify(headers)).to.equal(403)
      for (const host of ['localhost', 'localhost:4000', '127.0.0.1', '[::1]:4000'])
        expect((await raw('GET', HOME, { host })).status, host).to.equal(200)
    })

    it('with a cookie that has the wrong prefix for TLS or plain HTTP is not signed in', async () => {
      const remote = tls.browser('192.0.2.1')
      await tls.setUp(remote)
      const value = remote.cookies.get('__Host-payctl_console') ?? ''
      const other = tls.browser('192.0.2.1')
      other.cookies.set('payctl_console', value)
      expect((await other.get(HOME)).location).to.contain('/console/test/sign-in')
      other.cookies.set('__Host-payctl_console', value)
      expect((await other.get(HOME)).status).to.equal(200)
      const plain = world.browser()
      plain.cookies.set('__Host-payctl_console', browser.cookies.get('payctl_console') ?? '')
      expect((await plain.get(HOME)).location).to.contain('/console/test/sign-in')
    })

    it('has an answer that no cache stores', async () => {
      const paths = [
        HOME,
        '/console',
        '/console/test/nowhere',
        '/console/test/transactions?as=csv',
        '/console/test/set-up',
        '/console/test/confirm',
        '/console/live/',
        '/console/live/sign-in',
        '/console/enter/guessed',
        await world.entry(),
        ...PATHS.map(([path]) => path),
      ]
      for (const path of paths) expect((await raw('GET', path)).cache, path.slice(0, 60)).to.equal('no-store')
      expect((await raw('POST', HOME)).cache).to.equal('no-store')
      expect((await raw('GET', HOME, { host: 'pay.example.com' })).cache).to.equal('no-store')
    })

    /** Sends a request unchanged, with the cookies of the browser. */
    async function raw(method: string, path: string, headers: Headers = {}): Promise<RawAnswer> {
      const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
      const { hostname, port } = new URL(world.service.address)
      return await new Promise((resolve, reject) => {
        const sent = request({ method, path, hostname, port, headers: { cookie, ...headers } }, (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part: string) => {
            text += part
          })
          answer.on('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              location: answer.headers.location ?? '',
              cache: answer.headers['cache-control'],
              allowed: answer.headers['access-control-allow-origin'],
              text,
            }),
          )
        })
        sent.on('error', reject).end()
      })
    }
  })
})
