import { expect } from 'chai'
import { ApiError } from '../../../src/engine/core/request/api-error.js'
import { showInvoice } from '../../../src/http/payer/show-invoice.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { bill, openShop, payWith, type Shop } from '../../domain/billing/invoices.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { readDrawnCode } from '../../support/read-qr-code.js'
import { CARD, type Payer, payerAt, type Shown, wordsOf } from './payer.js'

describe('the page of an invoice', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let service: HttpService
    let payer: Payer

    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
      service = await httpService(core.place)
      open.atEnd(() => service.stop())
      payer = payerAt(service.address)
    })

    const addressOf = async (invoice: JsonObject) => {
      const { url } = await core.ok('GET', `/invoices/${idOf(invoice)}`, undefined, { query: 'fields=url' })
      const { pathname, search } = new URL(String(url))
      return pathname + search
    }
    const linkIn = ({ text }: Shown, part: string) =>
      new RegExp(`href="([^"]*${part}[^"]*)"`).exec(text)?.[1]?.replace(/&#38;/g, '&')

    it('shows charges with quantities, payments and the amount due, with amounts formatted as elsewhere', async () => {
      const items = [{ entry_type: 'charge', description: 'Books <rare>', amount: 400.25, qty: 3 }]
      const invoice = await core.ok('POST', '/invoices', {
        customer_id: shop.customer,
        description: 'March',
        due_date: '2030-04-01',
        items,
      })
      await payWith(shop, 200, [{ entry_type: 'payment', invoice_id: idOf(invoice), amount: 200 }])
      const shown = await payer.get(await addressOf(invoice))
      expect([shown.status, wordsOf(shown)].join(' '))
        .to.include('200')
        .and.include('This is a test: no money moves.')
        .and.include('Books <rare> 3 400.25 1,200.75')
        .and.include('Total due (USD) 1,200.75')
        .and.include('1,000.75 USD due')
        .and.match(/Number INV-\d{4}-\d{6}/)
        .and.include('Due 2030-04-01')
        .and.include('For March')
        .and.include('Partially paid')
        .and.include('Park Books')
    })

    it('shows no amount if the invoice cannot be read', async () => {
      const opened = {
        id: 'inv_0000000000000000000000',
        environment: 'test',
        processingId: shop.processing,
        organization: undefined,
        link: undefined,
        linkUrl: undefined,
        locale: undefined,
      } as const
      const problem = await showInvoice(core.environment.core, opened, 'en').catch((error: unknown) => error)
      expect(problem).to.be.an.instanceOf(ApiError)
    })

    it('has the QR code of a link to pay it, while an amount is due', async () => {
      const invoice = await bill(shop, [20])
      expect((await payer.get(await addressOf(invoice))).text).to.not.include('<svg')
      const link = await core.ok('POST', '/payment_links', { invoice_id: idOf(invoice), locale: 'es' })
      const shown = await payer.get(await addressOf(invoice))
      expect(wordsOf(shown)).to.include('Escanee para pagar')
      expect(readDrawnCode(shown.text)).to.equal(`${service.address}/pay/${idOf(link)}`)
      await payWith(shop, 20, [{ entry_type: 'payment', invoice_id: idOf(invoice), amount: 20 }])
      expect((await payer.get(await addressOf(invoice))).text).to.not.include('<svg')
    })

    it('is linked from its payment page and from the receipt', async () => {
      const invoice = await bill(shop, [20])
      const link = await core.ok('POST', '/payment_links', { invoice_id: idOf(invoice) })
      const pay = await payer.get(`/pay/${link.id}`)
      const { pathname, search } = new URL(linkIn(pay, '/invoice/test/') ?? '')
      expect(pathname + search).to.equal(await addressOf(invoice))
      const page = await payer.get(pathname + search)
      expect(wordsOf(page)).to.include('Pay this invoice')
      expect(linkIn(page, 'pay/')).to.equal(`../../pay/${link.id}`)
      const receipt = await payer.send(pay, CARD)
      expect(linkIn(receipt, '/invoice/test/')).to.include(pathname + search)
      const paid = await payer.get(pathname + search)
      expect(wordsOf(paid)).to.include('Paid').and.not.include('Pay this invoice')
    })

    it('shows the logo of the organization', async () => {
      const logo = 'data:image/png;base64,iVBORw0KGgo='
      const org = { name: 'Harbour', industry: 'retail', org_type: 'reseller', logo }
      const parent_org_id = idOf(await core.ok('POST', '/orgs', org))
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id })
      const { text } = await payer.get(await addressOf(await bill(shop, [5])))
      expect(text).to.include(`<img src="${logo}" alt="">`)
      await core.ok('PUT', `/processing_accounts/${shop.processing}`, { parent_org_id: null })
    })

    it('needs its exact address, and is gone after the invoice is deleted', async () => {
      const invoice = await bill(shop, [20])
      const address = await addressOf(invoice)
      for (const wrong of [
        address.replace(/signature=.*/, 'signature=x'),
        address.replace(/\?.*/, ''),
        address.replace('/test/', '/live/'),
        address.replace('/invoice/', '/receipt/'),
        '/invoice/test/inv_nobody?signature=x',
      ]) {
        const shown = await payer.get(wrong)
        expect([shown.status, wordsOf(shown)].join(' '), wrong)
          .to.include('404')
          .and.include('Nothing here')
      }
      await core.ok('DELETE', `/invoices/${idOf(invoice)}`)
      expect((await payer.get(address)).status).to.equal(404)
    })

    it('has its address among the attributes shown only on request', async () => {
      const invoice = await bill(shop, [20])
      expect(invoice).to.not.have.property('url')
      expect(await addressOf(invoice)).to.match(/^\/invoice\/test\/inv_\w+\?signature=[\w-]+$/)
    })
  })
})
