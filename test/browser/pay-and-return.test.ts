import { createServer } from 'node:http'
import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { openShop, type Shop } from '../domain/billing/invoices.js'
import { CARD } from '../http/payer/payer.js'
import { objectOf, openCore, type TestCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Tests a checkout page of a client key, whose payers come from a shop on another origin and return to it. */
if (chromium !== undefined) {
  describe('the checkout page of a client key, in a browser @rest', () => {
    onSqlite((open) => {
      let core: TestCore
      let account: Shop
      let service: HttpService
      let browser: Browser
      let elsewhere = ''
      const shop = createServer((_request, response) => response.end('<!doctype html><title>Shop</title>'))

      before(async () => {
        core = await openCore(open)
        account = await openShop(core)
        service = await httpService(core.place)
        browser = await openBrowser()
        await new Promise<void>((listening) => shop.listen(0, '127.0.0.1', listening))
        const address = shop.address()
        elsewhere = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
      })
      after(async () => {
        await closePages(browser)
        await service.stop()
        await new Promise((closed) => shop.close(closed))
      })

      const visit = async () => {
        const redirects = { success_url: `${elsewhere}/done?order=7`, cancel_url: `${elsewhere}/cart` }
        const made = await core.ok('POST', '/access_tokens', {
          type: 'client',
          intent: { checkout_page: { amount: 5, processing_id: account.processing, redirects } },
        })
        const { url } = objectOf(objectOf(made.intent).checkout_page)
        const page = patient(await (await browser.newContext()).newPage())
        await page.goto(service.address + new URL(String(url), service.address).pathname)
        return page
      }

      it("returns a payer to the shop after a payment, with the payment's id", async () => {
        const page = await visit()
        expect(await findingsOf(page)).to.deep.equal([])
        for (const [name, value] of Object.entries(CARD)) await page.fill(`[name=${name}]`, value)
        await page.click('main button')
        await page.waitForURL(`${elsewhere}/done**`)
        const { searchParams } = new URL(page.url())
        const payment = await core.ok('GET', `/transactions/${searchParams.get('transaction_id')}`)
        expect([searchParams.get('order'), payment.status, payment.amount]).to.deep.equal([
          '7',
          'processed',
          5,
        ])
      })

      it('returns a payer to the shop after a click on Cancel', async () => {
        const page = await visit()
        await page.click('text=Cancel')
        await page.waitForURL(`${elsewhere}/cart`)
      })
    })
  })
}
