import { expect } from 'chai'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { type RemoteSimulator, remoteSimulator } from '../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../src/schema/json.js'
import { bill, openShop, type Shop } from '../domain/billing/invoices.js'
import { BANK, CARD } from '../http/payer/payer.js'
import { idOf, openCore, type TestCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Tests the script that improves payers’ pages; the pages also work without it. */
if (chromium !== undefined) {
  describe('the script of payers’ pages, in a browser @rest', () => {
    onSqlite((open) => {
      let core: TestCore
      let shop: Shop
      let service: HttpService
      let gateway: RemoteSimulator
      let browser: Browser
      const complaints: string[] = []
      /** Method, address and body of each request. */
      const sent: string[] = []

      before(async () => {
        core = await openCore(open)
        shop = await openShop(core)
        gateway = remoteSimulator()
        service = await httpService(core.place, { gateway })
        browser = await openBrowser()
      })
      after(async () => {
        await closePages(browser)
        await service.stop()
      })
      beforeEach(() => {
        sent.length = 0
      })

      const visit = async (link: JsonObject, options: BrowserContextOptions = {}) => {
        const page = patient(await (await browser.newContext(options)).newPage())
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text())
        })
        page.on('request', (request) =>
          sent.push(`${request.method()} ${request.url()} ${request.postData()}`),
        )
        await page.goto(`${service.address}/pay/${link.id}`)
        return page
      }
      const make = (body: JsonObject = {}) =>
        core.ok('POST', '/payment_links', { amount: 5, processing_id: shop.processing, ...body })
      const field = (page: Page, name: string) => page.locator(`[name=${name}]`)
      const type = (page: Page, name: string, text: string) => field(page, name).pressSequentially(text)

      it('groups digits, names the card brand and adds a slash to the date during typing', async () => {
        const page = await visit(await make())
        await type(page, 'card_number', '371449635398431')
        expect(await field(page, 'card_number').inputValue()).to.equal('3714 496353 98431')
        expect(await page.innerText('.brand')).to.equal('American Express')
        await type(page, 'expiry', '1239')
        expect(await field(page, 'expiry').inputValue()).to.equal('12/39')
        expect(await findingsOf(page)).to.deep.equal([])
      })

      it('keeps the caret in place during corrections', async () => {
        const page = await visit(await make())
        await type(page, 'card_number', '424242424242')
        for (let steps = 0; steps < 9; steps++) await page.keyboard.press('ArrowLeft')
        await page.keyboard.type('99')
        expect(await field(page, 'card_number').inputValue()).to.equal('4242 9942 4242 42')
        expect(await page.evaluate('document.activeElement.selectionStart')).to.equal(7)
      })

      it('refuses impossible numbers before it sends a request', async () => {
        const page = await visit(await make())
        await type(page, 'card_number', '4242424242424241')
        await type(page, 'expiry', '0120')
        await page.click('main button')
        const errors = await page.locator('.error').allInnerTexts()
        expect(errors).to.deep.equal([
          'This is not a card number: check its digits',
          'This card has expired',
          'Fill this in',
          'Fill this in',
          'Fill this in',
        ])
        expect(await page.evaluate('document.activeElement.name')).to.equal('card_number')
        expect(await findingsOf(page)).to.deep.equal([])
        expect(sent.filter((request) => request.startsWith('POST'))).to.deep.equal([])
        await page.click('nav >> text=Bank account')
        await type(page, 'routing_number', '021000022')
        await page.click('main button')
        expect(await page.locator('.error').allInnerTexts()).to.include.members([
          'This is not a routing number: check its nine digits',
          'Choose one',
        ])
        expect(await findingsOf(page)).to.deep.equal([])
        expect(sent.filter((request) => request.startsWith('POST'))).to.deep.equal([])
        await field(page, 'routing_number').fill('021000021')
        expect(await page.locator('#field-routing_number-error').count()).to.equal(0)
      })

      it('keeps typed values when the payer chooses the other payment method, and sends none of them', async () => {
        const page = await visit(
          await make({ additional_datafields: [{ label: 'Student', name: 'student' }] }),
        )
        await type(page, 'data_0', 'Bo')
        for (const [name, value] of Object.entries(CARD)) await field(page, name).fill(value)
        await page.click('nav >> text=Bank account')
        await page.waitForSelector('[name=routing_number]')
        expect(await field(page, 'account_holder').inputValue()).to.equal(CARD.account_holder)
        expect(await field(page, 'data_0').inputValue()).to.equal('Bo')
        expect(page.url()).to.include('?method=bank_account')
        for (const name of ['routing_number', 'account_number'] as const)
          await field(page, name).fill(BANK[name])
        await page.click('text=Savings')
        await page.click('nav >> text=Card')
        await page.waitForSelector('[name=card_number]')
        for (const [name, value] of Object.entries(CARD))
          expect(await field(page, name).inputValue(), name).to.equal(value)
        expect(sent.join(' ')).to.not.match(/4242|021000021|1234567890/)
        await page.click('nav >> text=Bank account')
        await page.waitForSelector('[name=routing_number]')
        expect(await page.locator('[value=savings]').isChecked()).to.equal(true)
        await page.click('main button')
        await page.waitForURL('**/receipt/**')
      })

      it('starts with the amount due if an invoice may be paid in parts', async () => {
        const invoice = await bill(shop, [1030])
        const link = await core.ok('POST', '/payment_links', { invoice_id: idOf(invoice), type: 'reusable' })
        const page = await visit(link)
        expect(await field(page, 'amount').inputValue()).to.equal('1030.00')
        await field(page, 'amount').fill('10,50')
        await page.click('main button')
        expect(await page.innerText('#field-amount-error')).to.include('at most what is due')
      })

      it('reloads until the outcome of a payment is known, and then shows it', async () => {
        gateway.script('times_out_after')
        const page = await visit(await make())
        for (const [name, value] of Object.entries(CARD)) await field(page, name).fill(value)
        await page.click('main button')
        await page.waitForSelector('text=Your payment is being processed')
        expect(await findingsOf(page)).to.deep.equal([])
        await (await service.app.environment('test')).reconcile(0)
        await page.waitForURL('**/receipt/**')
      })

      it('reloads while someone else pays the link, and shows the form once it can be paid', async () => {
        gateway.script('fails_before')
        const link = await make()
        const page = await visit(link)
        for (const [name, value] of Object.entries(CARD)) await field(page, name).fill(value)
        await page.click('main button')
        await page.waitForSelector('text=Your payment is being processed')
        const other = await visit(link)
        expect(await other.innerText('h1')).to.equal('A payment is in progress')
        await (await service.app.environment('test')).reconcile(0)
        await other.waitForSelector('[name=card_number]')
        await page.waitForSelector('text=Your payment was declined')
      })

      it("shows the time of a receipt in the reader's zone, and prints the receipt", async () => {
        const page = await visit(await make(), { timezoneId: 'Asia/Tokyo', locale: 'en-US' })
        for (const [name, value] of Object.entries(CARD)) await field(page, name).fill(value)
        await page.click('main button')
        await page.waitForURL('**/receipt/**')
        expect(await page.innerText('time')).to.match(/GMT\+9$/)
        await page.evaluate('window.print = () => { window.isPrinted = true }')
        await page.click('text=Print')
        expect(await page.evaluate('window.isPrinted')).to.equal(true)
        expect(await findingsOf(page)).to.deep.equal([])
      })

      it('violates no content security policy of its pages', () => {
        expect(complaints).to.deep.equal([])
      })
    })
  })
}
