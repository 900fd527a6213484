import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import { LIMITS } from '../../src/http/api/http-limits.js'
import { openLog } from '../../src/http/api/log.js'
import { createServer } from '../../src/http/server.js'
import { systemClock } from '../../src/platform/clock.js'
import { systemRandom } from '../../src/platform/random.js'
import { document } from '../support/contract/document.js'
import { expectHtml } from '../support/strict-html.js'
import { echoApp } from './echo-app.js'

const folder = fileURLToPath(new URL('../../dist/docs', import.meta.url))

describe('static pages of the service', () => {
  let made = 0
  const server = createServer({
    app: echoApp(),
    limits: LIMITS,
    log: openLog('silent'),
    random: systemRandom,
    clock: systemClock,
    docs: {
      folder,
      async document() {
        made++
        return document
      },
    },
  })
  const get = (url: string) => server.inject({ method: 'GET', url })

  it('include the OpenAPI document, which needs no key and is built once', async () => {
    const first = await get('/openapi.json')
    const second = await get('/openapi.json')
    expect(first.statusCode).to.equal(200)
    expect(first.headers).to.include({ 'content-type': 'application/json; charset=utf-8' })
    expect(first.json()).to.deep.equal(document)
    expect(second.body).to.equal(first.body)
    expect(made).to.equal(1)
  })

  it('may load only content of this service', async () => {
    const { statusCode, headers } = await get('/docs')
    expect({ statusCode, location: headers.location }).to.deep.equal({ statusCode: 302, location: 'docs/' })
    const page = await get('/docs/')
    expect(page.headers['content-type']).to.equal('text/html; charset=utf-8')
    expect(String(page.headers['content-security-policy']).split('; ')).to.include.members([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "frame-ancestors 'none'",
    ])
    expect(page.body).to.not.match(/(?:src|href)="(?:https?:)?\/\//)
  })

  it('have all the files that they load', async () => {
    const { body } = await get('/docs/')
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name)
    expect(files).to.have.members([
      '../favicon.ico',
      'start.js',
      'style.css',
      'swagger-ui-bundle.js',
      'swagger-ui.css',
    ])
    for (const name of files) {
      const { statusCode, headers, rawPayload } = await get(`/docs/${name}`)
      expect([name, statusCode, rawPayload.length > 0]).to.deep.equal([name, 200, true])
      expect(headers['content-type'], name).to.match(
        /^(text\/(css|javascript); charset=utf-8|image\/x-icon)$/,
      )
    }
  })

  it('are compressed on request, to a sixth of their size', async () => {
    const sizes = { plain: 0, compressed: 0 }
    for (const url of ['/openapi.json', '/docs/', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css']) {
      const plain = await get(url)
      const compressed = await server.inject({ url, headers: { 'accept-encoding': 'br, gzip;q=0.8' } })
      expect([plain.headers['content-encoding'], compressed.headers['content-encoding']]).to.deep.equal([
        undefined,
        'gzip',
      ])
      for (const { headers } of [plain, compressed]) expect(headers['vary']).to.equal('Accept-Encoding')
      expect(gunzipSync(compressed.rawPayload).equals(plain.rawPayload), url).to.equal(true)
      sizes.plain += plain.rawPayload.length
      sizes.compressed += compressed.rawPayload.length
    }
    expect(sizes.plain / sizes.compressed).to.be.above(5)
    for (const refused of ['gzip;q=0', 'gzip; q=0.0, br', 'br', 'identity'])
      expect(
        (await server.inject({ url: '/docs/', headers: { 'accept-encoding': refused } })).headers,
        refused,
      ).to.not.have.property('content-encoding')
  })

  it('describe the service at the root, and have an icon', async () => {
    const home = await get('/')
    expect(home.statusCode).to.equal(200)
    expectHtml(home.body)
    expect(home.body).to.include('payment processing and billing service').and.to.include('href="docs/"')
    const icon = await get('/favicon.ico')
    expect(icon.headers['content-type']).to.equal('image/x-icon')
    expect([...icon.rawPayload.subarray(0, 6)]).to.deep.equal([0, 0, 1, 0, 1, 0])
    expect(icon.rawPayload.readUInt32LE(14)).to.equal(icon.rawPayload.length - 22)
  })

  it('do not exist at other addresses', async () => {
    for (const url of [
      '/docs/LICENSE',
      '/docs/../package.json',
      '/docs/%2e%2e/payctl.cjs',
      '/docs/start.js/',
    ])
      expect((await get(url)).statusCode, url).to.equal(401)
  })
})
