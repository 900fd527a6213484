import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { openShop, refund, type Shop } from '../../domain/billing/invoices.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { CARD, type Payer, payerAt, wordsOf } from './payer.js'

describe('the page of a receipt', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: Shop
    let service: HttpService
    let gateway: RemoteSimulator
    let payer: Payer

    before(async () => {
      core = await openCore(open)
      shop = await openShop(core)
      gateway = remoteSimulator()
      service = await httpService(core.place, { gateway })
      open.atEnd(() => service.stop())
      payer = payerAt(service.address)
    })

    const pay = async (body: JsonObject = {}) =>
      await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 1234.5,
        payment_method: card(),
        processing_id: shop.processing,
        ...body,
      })
    /** The path of the receipt of a transaction. */
    const pathOf = async (transaction: JsonObject) => {
      const [receipt = {}] = valuesOf(await core.ok('GET', `/transactions/${idOf(transaction)}/receipts`))
      const { pathname, search } = new URL(String(receipt.url))
      return pathname + search
    }
    const read = async (transaction: JsonObject) => wordsOf(await payer.get(await pathOf(transaction)))

    it('shows what was paid, to whom, by what and for what', async () => {
      const payment = await pay({ description: 'Books & more', order_number: 'A-17' })
      expect(await read(payment))
        .to.include('Park Books 1 Main Street New York, NY 10001')
        .and.include('1,234.50 USD')
        .and.include('For Books & more')
        .and.include('Order A-17')
        .and.include('Visa')
        .and.include('4242')
        .and.include(`Reference ${payment.ref_number}`)
        .and.include('Paid. Thank you.')
    })

    it("shows the merchant's telephone number and the payer's name, even for a card without a customer", async () => {
      const payment = await pay({ payment_method: { ...card(), account_holder: 'Grace Hopper' } })
      const shown = await payer.get(await pathOf(payment))
      expect(wordsOf(shown)).to.include('Name Grace Hopper')
      const account = `/processing_accounts/${shop.processing}`
      await core.ok('PUT', account, { phone_number: '+1 (212) 555-0100' })
      const later = await payer.get(await pathOf(payment))
      expect(later.text).to.match(/Phone<\/span> <a href="tel:\+12125550100">[^<]*0100<\/a>/)
    })

    it('has its time in a format that the script can convert to another time zone', async () => {
      const { text } = await payer.get(await pathOf(await pay()))
      expect(text).to.match(
        /<time datetime="\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ" data-local>\d{4}-\d\d-\d\d \d\d:\d\d UTC<\/time>/,
      )
    })

    it('omits internal attrs of the merchant', async () => {
      const attrs = {
        seat: '7b',
        _margin: 'secret1',
        tags: ['red', 'blue'],
        empty: '',
        guest: { name: 'Bo', _score: 'secret2' },
        _inner: { note: 'secret3' },
      }
      const words = await read(await pay({ attrs }))
      expect(words).to.include('seat 7b tags red tags blue guest name Bo')
      expect(words).to.not.match(/secret|margin|score|inner|empty/)
    })

    it('shows the current state of the payment, and exists for the refund, too', async () => {
      const payment = await pay({ amount: 50 })
      const back = await refund(core, payment, 20)
      expect(await read(payment)).to.include('20.00 USD of this was refunded.')
      expect(await read(back))
        .to.match(/^Refund of Park Books Refund/)
        .and.include('20.00 USD')
        .and.include(`Refund of ${payment.ref_number}`)
        .and.include('Paid to Visa')
      const other = await pay({ amount: 60 })
      await core.ok('PUT', `/transactions/${idOf(other)}`, { status: 'voided' })
      expect(await read(other)).to.include('This was cancelled: the money was not taken.')
    })

    it('opens only with its signature', async () => {
      const path = await pathOf(await pay())
      const other = await pathOf(await pay())
      for (const wrong of [
        path.split('?', 1)[0] ?? '',
        path.replace(/signature=.*/, 'signature='),
        path.replace('/test/', '/live/'),
        path.replace('/test/', '/other/'),
        path.replace(/rcpt_\w+/, /rcpt_\w+/.exec(other)?.[0] ?? ''),
      ]) {
        const shown = await payer.get(wrong)
        expect([shown.status, wordsOf(shown)].join(' '), wrong)
          .to.include('404')
          .and.include('Nothing here')
      }
      const { headers } = await payer.get(path)
      expect(Object.fromEntries(headers)).to.include({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex',
      })
    })

    it('reloads until the bank has answered', async () => {
      const link = await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing })
      const shown = await payer.get(`/pay/${link.id}`)
      gateway.script('times_out_after')
      const waiting = await payer.send(shown, CARD)
      expect(wordsOf(waiting)).to.include('Your payment is being processed').and.include('Do not pay again')
      expect(wordsOf(await payer.get(`/pay/${link.id}`))).to.include('A payment is in progress')
      const stranger = await payer.get(waiting.url.replace(/signature=.*/, 'signature=x'))
      expect(stranger.status).to.equal(404)
      await (await service.app.environment('test')).reconcile(0)
      expect(wordsOf(await payer.get(waiting.url))).to.include('Paid. Thank you.')
    })

    it('is missing for a payment that was finally declined', async () => {
      const link = await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing })
      const shown = await payer.get(`/pay/${link.id}`)
      gateway.script('fails_before')
      const waiting = await payer.send(shown, CARD)
      await (await service.app.environment('test')).reconcile(0)
      const declined = await payer.get(waiting.url)
      expect(wordsOf(declined))
        .to.include('Your payment was declined')
        .and.include('You have not been charged')
      expect(declined.text).to.include(`href="../../pay/${link.id}"`)
    })
  })
})
