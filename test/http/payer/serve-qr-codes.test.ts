import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { openShop, type Shop } from '../../domain/billing/invoices.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { readDrawnCode } from '../../support/read-qr-code.js'

const PUBLIC = 'https://pay.example.com/shop'

describe('the QR code of a payment link', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let service: HttpService

    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
      service = await httpService(core.place, { publicAddress: PUBLIC })
      open.atEnd(() => service.stop())
    })

    const make = async (body: JsonObject = {}) =>
      idOf(await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing, ...body }))
    const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      await fetch(`${service.address}${path}`, { headers })

    it('is a public picture of the address of its page, cached for an hour', async () => {
      const id = await make()
      const answer = await get(`/pay/${id}.qrcode.svg`)
      expect(answer.status).to.equal(200)
      expect(Object.fromEntries(answer.headers)).to.include({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        'content-security-policy': "default-src 'none'",
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers.has('set-cookie')).to.equal(false)
      const text = await answer.text()
      expect(readDrawnCode(text)).to.equal(`${PUBLIC}/pay/${id}`)
      expect(text).to.match(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
      expect(text).to.include('<title>Pay Park Books</title>')
    })

    it('does not depend on the language of the browser, but on that of its link', async () => {
      const id = await make({ locale: 'es' })
      const preferring = async (language: string) =>
        await (await get(`/pay/${id}.qrcode.svg`, { 'accept-language': language })).text()
      expect(await preferring('fr')).to.equal(await preferring('en'))
      expect(await preferring('fr')).to.include('<title>Pagar a Park Books</title>')
    })

    it('keeps the query of the address', async () => {
      const id = await make()
      const answer = await get(`/pay/${id}.qrcode.svg?method=bank_account&note=a%26b`)
      expect(readDrawnCode(await answer.text())).to.equal(
        `${PUBLIC}/pay/${id}?method=bank_account&note=a%26b`,
      )
      const long = await get(`/pay/${id}.qrcode.svg?note=${'a'.repeat(1_000)}`)
      expect([long.status, await long.text()].join(' ')).to.match(/^400 .*too long to be scanned/s)
    })

    it('exists for a link that can no longer be paid, but not for a link that is unknown or deleted', async () => {
      const id = await make()
      await core.ok('PUT', `/payment_links/${id}`, { status: 'inactive' })
      expect((await get(`/pay/${id}.qrcode.svg`)).status).to.equal(200)
      await core.ok('DELETE', `/payment_links/${id}`)
      for (const unknown of [id, 'plnk_0000000000000000000000', 'plnk_', 'x', '%00', '.', shop.processing]) {
        const answer = await get(`/pay/${unknown}.qrcode.svg`)
        expect(answer.status, unknown).to.equal(404)
        expect(answer.headers.get('cache-control')).to.equal('no-store')
      }
    })

    it('accepts no payment', async () => {
      const answer = await fetch(`${service.address}/pay/${await make()}.qrcode.svg`, { method: 'POST' })
      expect(answer.status).to.equal(404)
    })
  })
})
