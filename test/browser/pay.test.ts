import { expect } from 'chai'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { bill, openShop, type Shop, totals, totalsOf } from '../domain/billing/invoices.js'
import { CARD } from '../http/payer/payer.js'
import { idOf, openCore, type TestCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { CONTRAST, findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

const DECLINING = '4111 1111 1111 9904'
const PHONE = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }

/** Tests payment links like a payer, in a browser that has no network but this machine's. */
if (chromium !== undefined) {
  describe('the page of a payment link, in a browser', () => {
    onSqlite((open) => {
      let core: TestCore
      let shop: Shop
      let service: HttpService
      let browser: Browser
      const complaints: string[] = []

      before(async () => {
        core = await openCore(open)
        shop = await openShop(core)
        service = await httpService(core.place)
        open.atEnd(() => service.stop())
        browser = await openBrowser()
      })
      after(async () => {
        await closePages(browser)
      })

      const visit = async (link: JsonObject, options: BrowserContextOptions = {}) => {
        const page = patient(await (await browser.newContext(options)).newPage())
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text())
        })
        page.on('request', (request) => {
          if (!request.url().startsWith(service.address)) complaints.push(request.url())
        })
        await page.goto(`${service.address}/pay/${link.id}`)
        return page
      }
      const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
        for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value)
      }
      const send = async (page: Page) => await page.click('main button')
      const invoiceLink = async () => {
        const invoice = await bill(shop, [12.5, 30], { description: 'Books of March' })
        const link = await core.ok('POST', '/payment_links', { invoice_id: idOf(invoice) })
        return { invoice, link }
      }
      const expectPaid = async (page: Page, invoice: JsonObject) => {
        await page.waitForURL('**/receipt/**')
        expect(await page.innerText('main'))
          .to.include('42.50 USD')
          .and.include('Paid. Thank you.')
        expect(await totalsOf(core, invoice)).to.deep.equal(totals(42.5, 42.5, 'paid'))
      }

      it('takes a card payment on a phone, after a declined payment', async () => {
        const { invoice, link } = await invoiceLink()
        const page = await visit(link, PHONE)
        expect(await findingsOf(page)).to.deep.equal([])
        await fill(page, { ...CARD, card_number: DECLINING })
        await send(page)
        expect(await page.innerText('[role=alert]')).to.include('The balance is not sufficient')
        await page.locator('[role=alert]:focus').waitFor()
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await page.inputValue('[name=account_holder]')).to.equal('Ada Park')
        await fill(page, CARD)
        await send(page)
        await expectPaid(page, invoice)
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(PHONE.viewport.width)
      })

      it('takes a payment by keyboard alone', async () => {
        const { invoice, link } = await invoiceLink()
        const page = await visit(link)
        const { keyboard } = page
        // Tab first reaches the invoice and the choice between card and bank account.
        for (let skipped = 0; skipped < 3; skipped++) await keyboard.press('Tab')
        for (const value of Object.values({ ...CARD, card_code: '' })) {
          await keyboard.press('Tab')
          await keyboard.type(value)
        }
        await keyboard.press('Enter')
        await page.waitForSelector('[aria-invalid=true]')
        expect(await page.evaluate('document.activeElement.name')).to.equal('card_code')
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await page.inputValue('[name=card_number]')).to.equal(CARD.card_number)
        expect(await page.inputValue('[name=expiry]')).to.equal(CARD.expiry)
        await keyboard.type(CARD.card_code)
        for (let skipped = 0; skipped < 3; skipped++) await keyboard.press('Tab')
        expect(await page.evaluate('document.activeElement.textContent')).to.equal('Pay 42.50 USD')
        await keyboard.press('Space')
        await expectPaid(page, invoice)
      })

      it('takes a bank account payment without JavaScript', async () => {
        const { invoice, link } = await invoiceLink()
        const page = await visit(link, { javaScriptEnabled: false })
        await page.click('nav >> text=Bank account')
        const { account_holder, account_number, routing_number } = {
          account_holder: 'Ada Park',
          account_number: '1234567890',
          routing_number: '021000021',
        }
        await fill(page, { account_holder, account_number, routing_number })
        await page.click('text=Checking')
        await send(page)
        await expectPaid(page, invoice)
      })

      it('has no accessibility problem, light or dark, whether its link is active, inactive or unknown', async () => {
        const asked = { additional_datafields: [{ label: 'Student', required: true }] }
        const make = (body: JsonObject) =>
          core.ok('POST', '/payment_links', { amount: 5, processing_id: shop.processing, ...body })
        for (const [colorScheme, rule] of [['light'], ['dark', CONTRAST]] as const)
          for (const link of [await make(asked), await make({ status: 'inactive' }), { id: 'plnk_nobody' }]) {
            const page = await visit(link, { colorScheme })
            expect(await findingsOf(page, rule), `${colorScheme} ${link.id}`).to.deep.equal([])
            if ((await page.locator('nav a').count()) > 0) {
              await page.click('nav >> text=Bank account')
              await send(page)
              expect(await findingsOf(page, rule), colorScheme).to.deep.equal([])
            }
          }
      })

      it('has no script error, and loads no resource that its content security policy refuses', () => {
        expect(complaints.filter((text) => !/status of 40[04]/.test(text))).to.deep.equal([])
      })
    })
  })
}
