import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { bill, openShop, type Shop } from '../../domain/billing/invoices.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { CARD, payerAt, wordsOf } from './payer.js'

describe('the language of payers’ pages', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let service: HttpService

    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
      service = await httpService(core.place)
      open.atEnd(() => service.stop())
    })

    const make = async (body: JsonObject = {}) =>
      await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing, ...body })
    const reader = (accept: string) => payerAt(service.address, { 'accept-language': accept })

    it('is the locale of the link, from its page to the receipt', async () => {
      const link = await make({ locale: 'es' })
      const payer = reader('fr-CA,fr;q=0.9')
      const shown = await payer.get(`/pay/${link.id}`)
      expect(shown.text).to.include('<html lang="es">')
      expect(wordsOf(shown)).to.include('Pagar a Park Books').and.include('Número de tarjeta')
      const wrong = await payer.send(shown, { ...CARD, card_number: '4242 4242 4242 4241' })
      expect(wordsOf(wrong)).to.include('No es un número de tarjeta')
      const declined = await payer.send(wrong, { ...CARD, card_number: '4111 1111 1111 9904' })
      expect(wordsOf(declined)).to.include('El pago fue rechazado: El saldo no es suficiente')
      const receipt = await payer.send(declined, CARD)
      expect(wordsOf(receipt)).to.include('Recibo').and.include('Pagado. Gracias.')
      expect(wordsOf(await payer.get(`/pay/${link.id}`))).to.include('Está pagado')
    })

    it('is the preferred language of the browser if the link has no locale', async () => {
      const link = await make({ type: 'reusable' })
      for (const [accept, language] of [
        ['fr-CA,fr;q=0.9,en;q=0.8', 'fr'],
        ['de-DE,de;q=0.9,es-MX;q=0.8,en;q=0.7', 'es'],
        ['en;q=0.5, fr;q=0.9', 'fr'],
        ['fr;q=0,en', 'en'],
        ['de', 'en'],
        ['*', 'en'],
        ['', 'en'],
        [';;q=,', 'en'],
        // Strangers can send this header, so only its beginning is read.
        [`${'a'.repeat(7_000)}!,fr`, 'en'],
        [`fr;q=0.1,${'x'.repeat(7_000)},es`, 'fr'],
      ] as const)
        expect((await reader(accept).get(`/pay/${link.id}`)).text, accept).to.include(
          `<html lang="${language}">`,
        )
      expect(wordsOf(await reader('fr').get('/pay/plnk_nobody'))).to.include('Rien ici')
    })

    it('is always a language that the service supports', async () => {
      const { status, body } = await core.send('POST', '/payment_links', {
        amount: 20,
        processing_id: shop.processing,
        locale: 'de',
      })
      expect([status, body.details]).to.deep.equal([400, { locale: 'Must be one of: en, es, fr' }])
    })

    it('does not change the direction of texts written by people', async () => {
      const label = 'اسم الطالب'
      const link = await make({
        description: 'كتاب',
        additional_datafields: [{ section: 'المدرسة', fields: [{ label, name: 'student' }] }],
      })
      const { text } = await reader('en').get(`/pay/${link.id}`)
      expect(text)
        .to.include('<p dir="auto">كتاب</p>')
        .and.include('<legend dir="auto">المدرسة</legend>')
        .and.include(`<label for="field-data_0" dir="auto">${label} (optional)</label>`)
        .and.match(/<input id="field-data_0"[^>]* dir="auto"/)
        .and.include('Pay <bdi>Park Books</bdi>')
    })

    it('is the locale of the payment links of an invoice, on the page of the invoice', async () => {
      const invoice = await bill(shop, [12.5])
      const shown = async (accept: string) => {
        const { url } = await core.ok('GET', `/invoices/${idOf(invoice)}`, undefined, { query: 'fields=url' })
        const { pathname, search } = new URL(String(url))
        return wordsOf(await reader(accept).get(pathname + search))
      }
      expect(await shown('fr'))
        .to.include('Facture')
        .and.include('Montant dû')
      await core.ok('POST', '/payment_links', { invoice_id: idOf(invoice), locale: 'es' })
      expect(await shown('fr')).to.include('Pagar esta factura')
    })
  })
})
