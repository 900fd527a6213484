import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { bill, openShop, type Shop, totals, totalsOf } from '../../domain/billing/invoices.js'
import { eventsOf } from '../../domain/payments/books.js'
import { countOf, idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { type HttpService, httpService } from '../../support/http.js'
import { BANK, CARD, type Payer, payerAt, type Shown, wordsOf } from './payer.js'

const DECLINING = '4111 1111 1111 9904'

describe('the page of a payment link', () => {
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
    })
    beforeEach(() => {
      payer = payerAt(service.address)
    })

    const make = async (body: JsonObject = {}) =>
      await core.ok('POST', '/payment_links', { amount: 20, processing_id: shop.processing, ...body })
    const show = async (link: JsonObject, method = '') => await payer.get(`/pay/${link.id}${method}`)
    const statusOf = async (link: JsonObject) => (await core.ok('GET', `/payment_links/${idOf(link)}`)).status
    const paymentsOf = async (link: JsonObject) =>
      valuesOf(
        await core.ok('GET', '/transactions', undefined, {
          query: `payment_link_id=${link.id}&fields=*,attrs,customer_id,payment_method[*]`,
        }),
      )
    const expectReceipt = (shown: Shown) => {
      expect([shown.status, new URL(shown.url).pathname.split('/')[1]], wordsOf(shown)).to.deep.equal([
        200,
        'receipt',
      ])
    }

    it('accepts a card once, and leads to the receipt', async () => {
      const link = await make({ description: 'A book <b>' })
      const shown = await show(link)
      expect(wordsOf(shown)).to.include('Pay Park Books').and.include('A book <b>').and.include('20.00 USD')
      expectReceipt(await payer.send(shown, CARD))
      expect(await statusOf(link)).to.equal('completed')
      expect(await eventsOf(core, idOf(link))).to.deep.equal([
        'payment_link:status active',
        'payment_link:status completed',
      ])
      const [payment = {}] = await paymentsOf(link)
      expect(payment).to.include({ status: 'processed', amount: 20, description: 'A book <b>' })
      expect(objectOf(payment.payment_method)).to.include({ account_holder: 'Ada Park', keep_active: false })
      const paid = await show(link)
      expect(wordsOf(paid)).to.include('This is paid').and.include('Show the receipt')
      const [, address = ''] = /href="([^"]*receipt[^"]*)"/.exec(paid.text) ?? []
      expect(wordsOf(await payer.get(address)))
        .to.include('A book <b>')
        .and.include('Paid. Thank you.')
    })

    it('shows the name and the logo of the organization, and so does the receipt', async () => {
      const logo = 'data:image/png;base64,iVBORw0KGgo='
      const org = { name: 'Harbour <Group>', industry: 'retail', org_type: 'reseller' }
      const wrong = await core.send('POST', '/orgs', { ...org, logo: 'data:image/svg+xml;base64,PHN2Zz4=' })
      expect(wrong.body.details).to.deep.equal({
        logo: 'Must be a data: URL of a PNG, JPEG, GIF or WebP image',
      })
      const parent_org_id = idOf(await core.ok('POST', '/orgs', { ...org, logo }))
      const account = `/processing_accounts/${shop.processing}`
      await core.ok('PUT', account, { parent_org_id })
      const shown = await show(await make())
      const receipt = await payer.send(shown, CARD)
      expectReceipt(receipt)
      for (const page of [shown, receipt]) {
        expect(wordsOf(page)).to.include('Harbour <Group>')
        expect(page.text).to.include(`<img src="${logo}" alt="">`)
      }
      await core.ok('PUT', account, { parent_org_id: null })
    })

    it('accepts a bank account', async () => {
      const link = await make()
      const shown = await show(link, '?method=bank_account')
      expect(wordsOf(shown)).to.include('you allow Park Books to take the amount')
      expectReceipt(await payer.send(shown, BANK))
      const [payment = {}] = await paymentsOf(link)
      expect(objectOf(payment.payment_method)).to.include({ type: 'bank_account' })
    })

    it('pays its invoice, for the customer of the invoice', async () => {
      const items: JsonObject[] = [
        { entry_type: 'charge', amount: 15, description: 'Books' },
        { entry_type: 'charge', amount: 2.75, qty: 2, description: 'Copies' },
      ]
      const invoice = await bill(shop, [], { description: 'March', items })
      const number = String(invoice.number)
      const link = await make({ amount: null, invoice_id: idOf(invoice) })
      const shown = await show(link)
      expect(wordsOf(shown)).to.include('20.50').and.include('March').and.include(number)
      expect(wordsOf(shown)).to.include('Books 15.00').and.include('Copies (2 × 2.75) 5.50')
      const receipt = await payer.send(shown, CARD)
      expectReceipt(receipt)
      expect(wordsOf(receipt)).to.include(number)
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(20.5, 20.5, 'paid'))
      expect(wordsOf(await show(link))).to.include('This is paid')
    })

    it('accepts parts of the amount due repeatedly, up to the total', async () => {
      const invoice = await bill(shop, [1030])
      const unpaid = await bill(shop, [20])
      const link = await make({ amount: null, invoice_id: idOf(invoice), type: 'reusable' })
      const other = await make({ amount: null, invoice_id: idOf(unpaid) })
      expectReceipt(await payer.send(await show(link), { ...CARD, amount: '1,000.00' }))
      expect(await totalsOf(core, invoice)).to.deep.equal(totals(1030, 1000, 'partially_paid'))
      const more = await payer.send(await show(link), { ...CARD, amount: '31' })
      expect([more.status, wordsOf(more)].join(' '))
        .to.include('400')
        .and.include('Must be at most 30.00')
      expect(more.fields.get('amount')).to.equal('31')
      const nothing = await payer.send(more, { ...CARD, amount: 'x' })
      expect(wordsOf(nothing)).to.include('Must be')
      expectReceipt(await payer.send(nothing, { ...CARD, amount: '30' }))
      expect(wordsOf(await show(link))).to.include('Nothing is due on this invoice')
      // A deleted invoice does not count as paid.
      await core.ok('DELETE', `/invoices/${idOf(unpaid)}`)
      expect(wordsOf(await show(other))).to.include('This link is not active')
    })

    it('explains why a card is declined, keeps values that are not secret, and accepts another card', async () => {
      const link = await make()
      const declined = await payer.send(await show(link), { ...CARD, card_number: DECLINING })
      expect(declined.status).to.equal(400)
      expect(wordsOf(declined)).to.include(
        'The payment was declined: The balance is not sufficient. You have not been charged.',
      )
      expect(declined.text).to.include('<title>Error: Pay Park Books</title>')
      expect(Object.fromEntries(declined.fields)).to.include({
        account_holder: 'Ada Park',
        postal_code: '10001',
        card_number: '',
        card_code: '',
        expiry: '',
      })
      expectReceipt(await payer.send(declined, CARD))
      expect((await paymentsOf(link)).map(({ status }) => status)).to.have.members(['declined', 'processed'])
    })

    it('marks missing or wrong fields, with the focus on the first', async () => {
      const link = await make()
      const partly = { ...CARD, expiry: '13/39', card_code: '', postal_code: ' ' }
      const missing = await payer.send(await show(link), partly)
      expect(missing.status).to.equal(400)
      expect(missing.text.match(/ autofocus/g)).to.have.length(1)
      expect(missing.text).to.match(/name="expiry"[^>]* aria-invalid="true" autofocus/)
      expect(missing.text).to.match(/name="card_code"[^>]* aria-invalid="true"/)
      expect(missing.text).to.match(/name="postal_code"[^>]* aria-invalid="true"/)
      const invalid = { ...CARD, card_number: '4242 4242 4242 4241', expiry: '01/20' }
      const wrong = await payer.send(missing, invalid)
      expect(wrong.text).to.match(/name="card_number"[^>]* aria-invalid="true" autofocus/)
      expect(wrong.text).to.not.include('4242')
      expect(await paymentsOf(link)).to.deep.equal([])
    })

    it("has the merchant's additional fields, and stores them with the payment", async () => {
      const link = await make({
        additional_datafields: [
          { label: 'Student', name: 'student', required: true },
          { section: 'More', fields: [{ title: 'Class', optional: true }] },
          { label: 'Note to the office', name: '_note' },
        ],
      })
      const shown = await show(link)
      expect(wordsOf(shown)).to.include('Student').and.include('Class (optional)')
      const missing = await payer.send(shown, { ...CARD, data_0: '', data_1: '7b' })
      expect(missing.text).to.match(/name="data_0"[^>]* aria-invalid="true" autofocus/)
      expect(missing.fields.get('data_1')).to.equal('7b')
      const receipt = await payer.send(missing, { ...CARD, data_0: 'Bo', data_2: 'secret' })
      expectReceipt(receipt)
      expect(wordsOf(receipt)).to.include('Student Bo').and.include('Class 7b').and.not.include('secret')
      const [payment = {}] = await paymentsOf(link)
      expect(payment.attrs).to.deep.equal({ student: 'Bo', Class: '7b', _note: 'secret' })
    })

    it('accepts a card number only in its own field', async () => {
      const link = await make({ additional_datafields: [{ label: 'Member', name: 'member' }] })
      const sent = { ...CARD, data_0: CARD.card_number }
      const refused = await payer.send(await show(link), sent)
      expect(refused.status).to.equal(400)
      expect(refused.text)
        .to.include('Must not hold a card number')
        .and.not.match(/4242 ?4242/)
    })

    it('accepts only what the link and its account accept', async () => {
      const link = await make({ checkout_options: { card_payments: false } })
      const shown = await show(link)
      expect(shown.fields.has('routing_number')).to.equal(true)
      expect(shown.text).to.not.include('<nav')
      expectReceipt(await payer.send(shown, { ...BANK, method: 'card' }))
    })

    it('pays once, however often a form is sent', async () => {
      const link = await make({ type: 'reusable' })
      const shown = await show(link)
      const [one, other] = await Promise.all([payer.send(shown, CARD), payer.send(shown, CARD)])
      for (const answer of [one, other]) expect(wordsOf(answer)).to.match(/^Receipt|A payment is in progress/)
      expectReceipt(await payer.send(shown, CARD))
      const changed = await payer.send(shown, { ...CARD, postal_code: '10002' })
      expect([changed.status, wordsOf(changed)].join(' '))
        .to.include('409')
        .and.include('was sent before')
      expect(await paymentsOf(link)).to.have.length(1)
    })

    it('lets one of two simultaneous payers pay a one-time link', async () => {
      const link = await make()
      const answers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const one = payerAt(service.address)
          return await one.send(await one.get(`/pay/${link.id}`), CARD)
        }),
      )
      const receipts = answers.filter(({ url }) => url.includes('/receipt/'))
      expect(receipts).to.have.length(1)
      for (const answer of answers) expect(wordsOf(answer)).to.match(/Receipt|This is paid|under way/)
      expect(await paymentsOf(link)).to.have.length(1)
    })

    it('reports a link that is expired, inactive or unknown', async () => {
      const down = await make({ status: 'inactive' })
      expect(wordsOf(await show(down))).to.include('This link is not active')
      const gone = await show({ id: 'plnk_nobody' })
      expect([gone.status, wordsOf(gone)].join(' '))
        .to.include('404')
        .and.include('Nothing here')
      const link = await make()
      const shown = await show(link)
      await core.ok('PUT', `/payment_links/${idOf(link)}`, { status: 'inactive' })
      expect(wordsOf(await payer.send(shown, CARD))).to.include('This link is not active')
      expect(await paymentsOf(link)).to.deep.equal([])
    })

    it('shows a changed amount, and takes no payment', async () => {
      const link = await make()
      const shown = await show(link)
      await core.ok('PUT', `/payment_links/${idOf(link)}`, { amount: 25 })
      const changed = await payer.send(shown, CARD)
      expect(wordsOf(changed)).to.include('The amount is now 25.00 USD. Nothing was paid.')
      expect(await paymentsOf(link)).to.deep.equal([])
      expectReceipt(await payer.send(changed, CARD))
    })

    it('accepts only forms from the page itself', async () => {
      const link = await make()
      const shown = await show(link)
      const before = await countOf(core, '/transactions')
      const stranger = payerAt(service.address)
      const foreign = await stranger.send(shown, CARD)
      expect([foreign.status, wordsOf(foreign)].join(' '))
        .to.include('403')
        .and.include('Nothing was paid')
      for (const [name, value] of [
        ['form_token', ''],
        ['form_token', '9999999999999.x'],
        ['key', 'mine'],
      ] as const)
        expect((await payer.send(shown, { ...CARD, [name]: value })).status).to.equal(403)
      const other = await make()
      const elsewhere = { ...(await show(other)), url: shown.url, fields: shown.fields }
      expect((await payer.send(elsewhere, CARD)).status).to.equal(403)
      expect(await countOf(core, '/transactions')).to.equal(before)
    })

    it('is closed to frames, to foreign scripts, and to caches', async () => {
      const { headers } = await show(await make())
      expect(Object.fromEntries(headers)).to.include({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      })
      expect(headers.get('content-security-policy'))
        .to.include("default-src 'none'")
        .and.include("frame-ancestors 'none'")
        .and.match(/script-src 'sha256-[^']+';/)
    })

    it('is closed in maintenance', async () => {
      const link = await make()
      const shown = await show(link)
      await core.ok('PUT', '/admin/maintenance', { enabled: true, message: 'Back at six' })
      for (const answer of [await show(link), await payer.send(shown, CARD)])
        expect([answer.status, wordsOf(answer)].join(' '))
          .to.include('503')
          .and.include('Back at six')
      await core.ok('PUT', '/admin/maintenance', { enabled: false })
    })

    it('shows the convenience fee before and after', async () => {
      const account = await core.ok('GET', `/processing_accounts/${shop.processing}`, undefined, {
        query: 'fields=processing[settings]',
      })
      const settings = `/processing_settings/${idOf(objectOf(objectOf(account.processing).settings))}`
      await core.ok('PUT', settings, { credit_conv_fee_alloc: 100, bank_account_conv_fee_alloc: 100 })
      const link = await make()
      expect(wordsOf(await show(link)))
        .to.include('A convenience fee is added: 0.88 USD for credit cards, 0.00 USD for debit cards')
        .and.include('Pay')
      const bank = await show(link, '?method=bank_account')
      expect(wordsOf(bank)).to.include('A convenience fee is added: 0.30 USD.').and.include('Pay 20.30 USD')
      const receipt = await payer.send(bank, BANK)
      expect(wordsOf(receipt)).to.include('Convenience fee 0.30 USD').and.include('Charged 20.30 USD')
      await core.ok('PUT', settings, { credit_conv_fee_alloc: 0, bank_account_conv_fee_alloc: 0 })
    })
  })
})
