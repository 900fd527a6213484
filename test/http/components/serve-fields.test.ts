import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { componentsScript } from '../../../src/http/components/components-script.js'
import { textsIn } from '../../../src/http/payer/texts/payer-texts.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { openShop, type Shop } from '../interface/shop.js'

onDatabases((open) => {
  describe('the script of components, and the frames of secure fields', () => {
    let shop: Shop
    before(async () => {
      shop = await openShop(open)
    })

    const clientKey = async (origins: string[]) =>
      idOf(await shop.ok('POST', '/access_tokens', { type: 'client', intent: { payment_form: {} }, origins }))
    const get = async (path: string, headers = {}) => await fetch(shop.service.address + path, { headers })

    it('set no cookie, are not stored, and are limited to the origins of the key', async () => {
      const key = await clientKey(['https://shop.example', 'http://localhost:3000'])
      for (const name of ['card', 'card_number', 'controller']) {
        const { status, headers } = await get(`/fields/${name}?key=${key}&group=a`)
        const policy = headers.get('content-security-policy')
        expect(status).to.equal(200)
        expect(policy).to.match(/frame-ancestors https:\/\/shop\.example http:\/\/localhost:3000$/)
        expect(headers.get('set-cookie')).to.equal(null)
        expect(headers.get('cache-control')).to.equal('no-store')
      }
    })

    it('are refused to a key that is unknown, deleted or secret, in any frame', async () => {
      const key = await clientKey(['https://shop.example'])
      const deleted = await clientKey(['https://shop.example'])
      await shop.ok('DELETE', `/access_tokens/${deleted}`)
      for (const wrong of ['', `${key.slice(0, -3)}abc`, deleted, shop.key]) {
        const { status, headers } = await get(`/fields/card?key=${wrong}&group=a`)
        expect([status, headers.get('x-frame-options')]).to.deep.equal([401, 'DENY'])
      }
      expect((await get(`/fields/nothing?key=${key}`)).status).to.equal(404)
    })

    it('use the language of the browser', async () => {
      const key = await clientKey(['https://shop.example'])
      const text = await (await get(`/fields/expiry?key=${key}`, { 'accept-language': 'fr' })).text()
      for (const part of ['<html lang="fr">', textsIn('fr').expires, textsIn('fr').pastExpiry])
        expect(text).to.include(part)
    })

    it('have an immutable address with a hash, and permanent names', async () => {
      const { path, integrity } = componentsScript()
      const answer = await get(path)
      expect(answer.headers.get('cache-control')).to.include('immutable')
      const text = await answer.text()
      expect(`sha384-${createHash('sha384').update(text).digest('base64')}`).to.equal(integrity)
      for (const name of ['/Payload.js', '/checkout.js', '/connect.js'])
        expect(await (await get(name)).text()).to.equal(text)
    })

    it('serve the script of release 1.0.0 at its address, unchanged', async () => {
      const answer = await get('/Payload.542ce7762a1c5619cd0e.js')
      expect(answer.headers.get('cache-control')).to.include('immutable')
      const digest = createHash('sha384')
        .update(await answer.text())
        .digest('hex')
      expect(digest.slice(0, 20)).to.equal('542ce7762a1c5619cd0e')
    })
  })
})
