import { expect } from 'chai'
import type { Json } from '../../../src/schema/json.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { openShop, type Shop } from './shop.js'

onDatabases((open) => {
  describe('the origins of a client key', () => {
    let shop: Shop
    before(async () => {
      shop = await openShop(open)
    })

    const make = async (origins: Json) =>
      await shop.ask('POST', '/access_tokens', { type: 'client', origins })
    const pay = async (key: string, origin?: string) => {
      const response = await fetch(`${shop.service.address}/transactions`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          ...(origin !== undefined && { origin }),
        },
        body: JSON.stringify({
          type: 'payment',
          amount: 5,
          processing_id: shop.account,
          payment_method: card(),
        }),
      })
      return { status: response.status, allowed: response.headers.get('access-control-allow-origin') }
    }

    it('are the pages that may use it; others are refused without any effect', async () => {
      const origins = ['https://shop.example', 'https://shop.example:8443', 'http://localhost:3000']
      const { status, body } = await make(origins)
      expect([status, body.origins]).to.deep.equal([200, origins])
      expect(await shop.ok('GET', `/access_tokens/${idOf(body)}`)).to.deep.equal(body)
      for (const origin of origins)
        expect(await pay(idOf(body), origin), origin).to.deep.equal({ status: 200, allowed: '*' })
      for (const origin of [
        'https://evil.example',
        'http://shop.example',
        'https://shop.example.evil.example',
        'https://shop.example:444',
        'https://SHOP.example',
        'https://shop.example/',
        'http://localhost:3001',
        'null',
      ])
        expect(await pay(idOf(body), origin), origin).to.deep.equal({ status: 403, allowed: '*' })
      expect((await pay(idOf(body))).status).to.equal(200)
      expect((await pay(idOf(body), shop.service.address)).status).to.equal(200)
    })

    it('are unlimited if the key names none', async () => {
      const { body } = await make(null)
      expect(body.origins).to.equal(null)
      for (const origin of ['https://any.example', 'null'])
        expect(await pay(idOf(body), origin)).to.deep.equal({ status: 200, allowed: '*' })
    })

    it('are exact: https, or http on this machine, without paths or wildcards', async () => {
      const refused: [Json, Json][] = [
        [[], 'Must be a list of origins, as ["https://shop.example"]'],
        [5, 'Must be a list of origins, as ["https://shop.example"]'],
        [['http://shop.example'], { 0: 'Must begin with https://, or be on loopback' }],
        [['https://shop.example/pay'], { 0: 'Must be an origin: https://shop.example' }],
        [['https://shop.example/'], { 0: 'Must be an origin: https://shop.example' }],
        [['https://shop.example:443'], { 0: 'Must be an origin: https://shop.example' }],
        [['https://*.shop.example'], { 0: 'Must name one host, without wildcards' }],
        [['https://shop;x.example'], { 0: 'Must name one host, without wildcards' }],
        [['http://[::1]:3000'], { 0: 'Must have a name or an IPv4 address, as in http://localhost:3000' }],
        [['*'], { 0: 'Must be an address, as in https://app.example.com/done' }],
        [['null'], { 0: 'Must be an address, as in https://app.example.com/done' }],
        [['https://shop.example', 'ftp://x.example'], { 1: 'Must begin with https://, or be on loopback' }],
        [['https://ada@shop.example'], { 0: 'Must have no user name and no fragment' }],
        [Array.from({ length: 51 }, (_, index) => `https://s${index}.example`), 'Must have at most 50 items'],
      ]
      for (const [origins, problem] of refused) {
        const { status, body } = await make(origins)
        expect([status, objectOf(body.details).origins], JSON.stringify(origins)).to.deep.equal([
          400,
          problem,
        ])
      }
    })
  })
})
