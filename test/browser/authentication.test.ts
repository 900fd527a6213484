import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { openShop, type Shop } from '../domain/billing/invoices.js'
import { openStripeServer, SECRET_KEY, type StripeServer } from '../gateways/stripe/stripe-server.js'
import { CARD } from '../http/payer/payer.js'
import { idOf, objectOf, openCore, type TestCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { type HttpService, httpService } from '../support/http.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Number of a test card whose payer must authenticate with the bank. */
const AUTHENTICATED = '4000 0027 6000 3184'

/**
 * Tests payers who must authenticate with their bank, at a test server in place of Stripe. The bank is shown in
 * an overlay by Stripe's script, or on its own page.
 */
if (chromium !== undefined) {
  for (const [way, publishable_key] of [
    ['in an overlay', 'pk_test_of_the_shop'],
    ['at the bank', undefined],
  ] as const)
    describe(`a payer who authenticates ${way}, in a browser @rest`, () => {
      onSqlite((open) => {
        let core: TestCore
        let shop: Shop
        let server: StripeServer
        let service: HttpService
        let browser: Browser
        let now = Date.UTC(2030, 0, 15, 12)
        const clock = { now: () => now }

        before(async () => {
          server = await openStripeServer(() => now)
          core = await openCore(open, { gatewayLoopback: true, clock })
          shop = await openShop(core)
          await core.ok('POST', '/admin/gateways', {
            name: 'cards',
            kind: 'stripe',
            base_url: server.address,
            card_entry: true,
            credentials: { secret_key: SECRET_KEY, ...(publishable_key && { publishable_key }) },
          })
          await core.ok('PUT', '/admin/gateway_routes', { default: 'cards' })
          service = await httpService(core.place, { gatewayLoopback: true, clock })
          // Closed after the service has stopped, which asks it for events.
          open.atEnd(() => server.close())
          open.atEnd(() => service.stop())
          browser = await openBrowser()
        })
        after(async () => {
          await closePages(browser)
        })

        let amount = 10
        /** Opens the page of a new payment link in a browser, and fills in the card that requires authentication. */
        const begin = async () => {
          amount++
          const link = await core.ok('POST', '/payment_links', {
            type: 'one_time',
            amount,
            processing_id: shop.processing,
          })
          const page = patient(await (await browser.newContext()).newPage())
          await page.goto(`${service.address}/pay/${idOf(link)}`)
          const fields = { ...CARD, card_number: AUTHENTICATED }
          for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value)
          return { page, link: idOf(link) }
        }
        const send = async (page: Page) => {
          await page.click('main button')
          await page.waitForURL('**/authenticate/**')
        }
        /** Confirms or refuses at the bank, in the overlay or on the bank's own page. */
        const answer = async (page: Page, word: 'Complete' | 'Fail') => {
          if (publishable_key) {
            await page.frameLocator('iframe').getByText(word).click()
            return
          }
          await page.click('main a.button')
          await page.waitForURL('**/challenge/**')
          await page.click(`text=${word}`)
        }
        const paymentsOf = async (link: string) => {
          const { values } = await core.ok('GET', '/transactions', undefined, {
            query: `payment_link_id=${link}&order_by=id`,
          })
          return Array.isArray(values)
            ? values.map(objectOf).map(({ status, status_code }) => `${status} ${status_code}`)
            : []
        }
        /** Statuses of the payment intents with the current amount at the gateway. */
        const charged = () =>
          server.books.intents
            .filter((each) => each.amount === amount * 100)
            .map(({ status }) => status)
            .join()

        it('pays once, also after going back and reloading', async () => {
          const { page, link } = await begin()
          await send(page)
          expect(await findingsOf(page)).to.deep.equal([])
          await answer(page, 'Complete')
          await page.waitForURL('**/receipt/**')
          await page.goBack()
          await page.reload()
          expect([await paymentsOf(link), charged()]).to.deep.equal([['processed approved'], 'succeeded'])
        })

        it('does not pay by refusing, and can pay with another card', async () => {
          const { page, link } = await begin()
          await send(page)
          await answer(page, 'Fail')
          await page.waitForURL('**/paid/**')
          expect([await paymentsOf(link), charged()]).to.deep.equal([
            ['declined authentication_required'],
            'canceled',
          ])
          await page.click('main a.button')
          for (const [name, value] of Object.entries(CARD)) await page.fill(`[name=${name}]`, value)
          await page.click('main button')
          await page.waitForURL('**/receipt/**')
          expect(charged()).to.equal('canceled,succeeded')
        })

        it('does not pay by cancelling on the page', async () => {
          const { page, link } = await begin()
          await send(page)
          if (publishable_key) await page.evaluate('document.querySelector("iframe").remove()')
          await page.click('text=Do not pay')
          await page.waitForURL('**/paid/**')
          expect([await paymentsOf(link), charged()]).to.deep.equal([
            ['declined authentication_required'],
            'canceled',
          ])
        })

        it('does not pay by leaving: the payment is declined after half an hour', async () => {
          const { page, link } = await begin()
          await send(page)
          now += 31 * 60_000
          await page.reload()
          await page.waitForURL('**/paid/**')
          expect([await paymentsOf(link), charged()]).to.deep.equal([
            ['declined authentication_required'],
            'canceled',
          ])
        })

        it('pays once after a double click and after going back to the form', async () => {
          const { page, link } = await begin()
          await page.dblclick('main button')
          await page.waitForURL('**/authenticate/**')
          await page.goBack()
          await page.goForward()
          await page.waitForURL('**/authenticate/**')
          if (publishable_key) await page.click('#confirm button', { force: true }).catch(() => undefined)
          await answer(page, 'Complete')
          await page.waitForURL('**/receipt/**')
          expect([await paymentsOf(link), charged()]).to.deep.equal([['processed approved'], 'succeeded'])
        })

        it("returns to the shop that created the payment over HTTP, with the payment's id in the address", async () => {
          amount++
          const { body: made } = await service.ask(await service.key(), 'POST', '/transactions', {
            type: 'payment',
            amount,
            processing_id: shop.processing,
            return_url: `${service.address}/docs`,
            payment_method: {
              type: 'card',
              card: { card_number: AUTHENTICATED, expiry: '12/39', card_code: '123' },
              billing_address: { postal_code: '10001' },
            },
          })
          const page = patient(await (await browser.newContext()).newPage())
          await page.goto(String(objectOf(made.next_action).url))
          await answer(page, 'Complete')
          await page.waitForURL(`**/docs?transaction_id=${made.id}`)
          expect(await core.ok('GET', `/transactions/${made.id}`)).to.include({ status: 'processed' })
        })

        if (publishable_key)
          it('sees a message if the script of the processor is blocked', async () => {
            const { page } = await begin()
            await page.route('**/endive/stripe.js', (route) => route.abort())
            await send(page)
            expect(await page.innerText('main')).to.include('could not be loaded')
          })
      })
    })
}
