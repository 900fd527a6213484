import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { openShop, type Shop } from '../domain/billing/invoices.js'
import { openStripeServer, SECRET_KEY, type StripeServer } from '../gateways/stripe/stripe-server.js'
import { CARD } from '../http/payer/payer.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Numbers of two test cards: the first requires authentication once, the second is declined. */
const AUTHENTICATED = '4000 0025 0000 3155'
const DECLINED = '4000 0000 0000 0002'

/** Tests customers who save or replace their card, at a test server in place of Stripe. */
if (chromium !== undefined) {
  describe('the page of a link on which a customer saves a card, in a browser @rest', () => {
    onSqlite((open) => {
      let core: TestCore
      let shop: Shop
      let server: StripeServer
      let service: HttpService
      let browser: Browser
      let customer = ''

      before(async () => {
        server = await openStripeServer(() => Date.now())
        core = await openCore(open, { gatewayLoopback: true })
        shop = await openShop(core)
        await core.ok('POST', '/admin/gateways', {
          name: 'cards',
          kind: 'stripe',
          base_url: server.address,
          card_entry: true,
          credentials: { secret_key: SECRET_KEY, publishable_key: 'pk_test_of_the_shop' },
        })
        await core.ok('PUT', '/admin/gateway_routes', { default: 'cards' })
        service = await httpService(core.place, { gatewayLoopback: true })
        // Closed after the service has stopped, which asks it for events.
        open.atEnd(() => server.close())
        open.atEnd(() => service.stop())
        browser = await openBrowser()
      })
      after(async () => {
        await closePages(browser)
      })

      const begin = async () => {
        const link = await core.ok('POST', '/payment_links', {
          type: 'method',
          customer_id: customer,
          processing_id: shop.processing,
        })
        const page = patient(await (await browser.newContext()).newPage())
        await page.goto(`${service.address}/pay/${idOf(link)}`)
        return { page, link: idOf(link) }
      }
      const fill = async (page: Page, card_number: string = CARD.card_number) => {
        for (const [name, value] of Object.entries({ ...CARD, card_number }))
          await page.fill(`[name=${name}]`, value)
      }
      const methods = async (): Promise<JsonObject[]> =>
        valuesOf(
          await core.ok('GET', '/payment_methods', undefined, {
            query: `account_id=${customer}&fields=*,consent&order_by=id`,
          }),
        )
      const statusOf = async (link: string) => (await core.ok('GET', `/payment_links/${link}`)).status

      it('saves the card with the displayed consent, for later charges', async () => {
        customer = idOf(await core.ok('POST', '/customers', { name: 'Ada Park' }))
        const { page, link } = await begin()
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await page.innerText('main')).not.to.include('USD')
        await fill(page)
        await page.dblclick('main button')
        await page.waitForSelector('text=This is saved')
        const [saved, ...others] = await methods()
        expect([others.length, saved?.default_payment_method, await statusOf(link)]).to.deep.equal([
          0,
          true,
          'completed',
        ])
        const { text, address } = objectOf(saved?.consent)
        expect(String(text)).to.include('you allow').and.to.include('until you revoke that')
        expect(address).to.equal('127.0.0.1')
        const paid = await core.ok('POST', '/transactions', {
          type: 'payment',
          amount: 5,
          processing_id: shop.processing,
          customer_id: customer,
        })
        expect(paid.status).to.equal('processed')
      })

      it('replaces the card after the customer has authenticated, and after a declined card', async () => {
        const { page, link } = await begin()
        await fill(page, DECLINED)
        await page.click('main button')
        await page.waitForSelector('.error, .notice')
        expect(await page.innerText('main')).to.include('Declined without a stated reason')
        expect(await statusOf(link)).to.equal('active')
        await fill(page, AUTHENTICATED)
        await page.click('main button')
        await page.frameLocator('iframe').getByText('Complete').click()
        await page.waitForSelector('text=This is saved')
        expect((await methods()).map((each) => each.default_payment_method)).to.deep.equal([false, true])
        expect(await statusOf(link)).to.equal('completed')
      })

      it('keeps the old card if the customer refuses to authenticate', async () => {
        const { page, link } = await begin()
        await fill(page, AUTHENTICATED)
        await page.click('main button')
        await page.frameLocator('iframe').getByText('Fail').click()
        await page.waitForURL('**/pay/**')
        expect((await methods()).map((each) => each.default_payment_method)).to.deep.equal([false, true])
        expect(await statusOf(link)).to.equal('active')
        expect(await page.isVisible('[name=card_number]')).to.equal(true)
      })
    })
  })
}
