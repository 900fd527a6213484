import { expect } from 'chai'
import { idOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

const ELSEWHERE = 'https://books.example.com'

onDatabases((open) => {
  describe('interface line 5: browsers', () => {
    let shop: Shop
    let clientKey: string

    before(async () => {
      shop = await openShop(open)
      clientKey = idOf(await shop.ok('POST', '/access_tokens', { type: 'client' }))
    })

    const send = async (method: string, path: string, headers: Record<string, string>, body?: object) => {
      const init = {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        body: body && JSON.stringify(body),
      }
      const response = await fetch(shop.service.address + path, init)
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    const preflight = (path: string, method: string) =>
      send('OPTIONS', path, {
        origin: ELSEWHERE,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type',
      })
    const payment = () => ({
      type: 'payment',
      amount: 5,
      processing_id: shop.account,
      payment_method: card(),
    })

    it('send a preflight from a page of another site, answered by path and method alone', async () => {
      const { status, headers, text } = await preflight('/transactions/', 'POST')
      expect([status, text]).to.deep.equal([204, ''])
      expect(headers.get('access-control-allow-origin')).to.equal('*')
      expect(headers.get('access-control-allow-methods')).to.equal('POST')
      expect(headers.get('access-control-allow-headers')).to.equal(
        'Authorization, Content-Type, Idempotency-Key',
      )
      for (const [path, method] of [
        ['/transactions', 'GET'],
        ['/transactions', 'DELETE'],
        ['/customers', 'POST'],
        ['/admin/keys', 'POST'],
        ['/transactions/txn_1', 'POST'],
      ] as const) {
        const closed = await preflight(path, method)
        expect(closed.headers.get('access-control-allow-origin'), `${method} ${path}`).to.equal(null)
      }
    })

    it('can pay with a client key from any page, and read the answer', async () => {
      const headers = { authorization: `Bearer ${clientKey}`, origin: ELSEWHERE }
      for (const origin of [ELSEWHERE, 'null', 'http://localhost:3000']) {
        const paid = await send('POST', '/transactions', { ...headers, origin }, payment())
        expect([paid.status, paid.headers.get('access-control-allow-origin')]).to.deep.equal([200, '*'])
        expect(paid.headers.get('access-control-expose-headers')).to.contain('X-Request-Id')
      }
      const refused = await send('POST', '/transactions', headers, { type: 'payment' })
      expect([refused.status, refused.headers.get('access-control-allow-origin')]).to.deep.equal([400, '*'])
      const unknown = await send('POST', '/transactions', { ...headers, authorization: 'Bearer x' }, {})
      expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).to.deep.equal([401, '*'])
    })

    it('cannot use a secret key on a page of another site: 403 without any effect', async () => {
      const count = async () => valuesOf(await shop.ok('GET', '/transactions?fields=count(*)'))[0]
      const before = await count()
      const authorization = `Basic ${Buffer.from(`${shop.key}:`).toString('base64')}`
      for (const origin of [ELSEWHERE, 'null']) {
        const made = await send('POST', '/transactions', { authorization, origin }, payment())
        expect([made.status, JSON.parse(made.text).error_type]).to.deep.equal([403, 'Forbidden'])
        const read = await send('GET', '/transactions', { authorization, origin })
        expect([read.status, read.headers.get('access-control-allow-origin')]).to.deep.equal([403, null])
      }
      const token = { grant_type: 'authorization_code', code: 'x', client_id: 'y', client_secret: shop.key }
      expect((await send('POST', '/oauth/token', { origin: ELSEWHERE }, token)).status).to.equal(403)
      expect(await count()).to.deep.equal(before)
      const own = await send('GET', '/transactions', { authorization, origin: shop.service.address })
      expect(own.status).to.equal(200)
    })
  })
})
