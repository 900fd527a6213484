import { expect } from 'chai'
import type { BrowserContextOptions, FrameLocator, Page } from 'playwright-core'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { findingsOf } from '../accessibility.js'
import { chromium } from '../chromium.js'
import {
  CARD,
  type ComponentWorld,
  componentWorld,
  DECLINED,
  digitsIn,
  eventOf,
  kindsOf,
} from './component-world.js'

/**
 * Tests the unmodified `Checkout` of the React client. The page is isolated: it loads only resources of other
 * origins that allow embedding.
 */
if (chromium !== undefined) {
  describe('the checkout of payload-react, in a browser @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const keyOf = async (options: JsonObject) =>
        await world.clientKey({ checkout_plugin: { processing_id: world.account, ...options } })
      const visit = async (script: string, given: BrowserContextOptions = {}, body = '') =>
        await world.visit({ isIsolated: true, body, script: `const { h, show } = shop; ${script}` }, given)
      const inContainer = async (amount: number, options: JsonObject = {}, given?: BrowserContextOptions) => {
        const key = await keyOf({ amount, ...options })
        const properties = `{ clientToken: '${key}', amount: ${amount}, autoSubmit: false, ...noting(...CHECKOUT) }`
        return await visit(`show(h(shop.Checkout, ${properties}))`, given)
      }
      /** Opens a page with a button, and clicks it to open the checkout over the page. */
      const overPage = async (amount: number, given?: BrowserContextOptions) => {
        const key = await keyOf({ amount })
        const options = `{ clientToken: '${key}', amount: '${amount}', autoSubmit: false, ...noting(...CHECKOUT) }`
        const page = await visit(
          `show(h('button', { onClick: () => shop.openCheckout(${options}) }, 'Buy'))`,
          given,
        )
        await page.click('button:has-text("Buy")')
        await eventOf(page, 'loaded')
        return page
      }
      /** Frame that contains the page of the checkout. */
      const checkout = (page: Page): FrameLocator => page.locator('iframe').contentFrame()
      const payButton = (page: Page) => checkout(page).locator('button[type=submit]')
      const fillCard = async (page: Page, { number, expiry, code } = CARD) => {
        const frame = checkout(page)
        await frame.locator('[autocomplete="cc-number"]').fill(number)
        await frame.locator('[autocomplete="cc-exp"]').fill(expiry)
        await frame.locator('[autocomplete="cc-csc"]').fill(code)
        await frame.locator('[autocomplete="cc-name"]').fill('Ada Park')
        await frame.locator('[autocomplete*="postal-code"]').fill('10001')
      }
      const payWith = async (page: Page, card = CARD) => {
        await fillCard(page, card)
        await payButton(page).click()
      }
      /** Loses or refuses the first requests that send the form, one for each argument; later requests pass. */
      const whenSent = async (page: Page, ...happens: ('lose' | 'refuse')[]) => {
        await page.route('**/components/checkout?*', async (route) => {
          const action = route.request().method() === 'POST' ? happens.shift() : undefined
          if (action === undefined) return await route.continue()
          if (action === 'refuse')
            return await route.fulfill({ status: 429, body: '<!doctype html><main>Too many</main>' })
          await route.fetch({ maxRedirects: 0 })
          await route.abort()
        })
      }
      const lostNotice = async (page: Page) => {
        const notice = checkout(page).locator('[role=alert]')
        await notice.waitFor()
        expect(await notice.innerText()).to.include('charged at most once')
      }

      it('takes a payment in a container of the page, which can read no digit of the card', async () => {
        const page = await inContainer(50.01)
        await eventOf(page, 'loaded')
        expect(await page.locator('#root iframe').count()).to.be.greaterThan(0)
        expect(await payButton(page).innerText()).to.equal('Pay 50.01 USD')
        await page.evaluate(`for (const { data } of messages.slice(0, 1))
          postMessage({ ...data, event: 'processed', transaction_id: 'txn_forged' }, '*')`)
        await payWith(page)
        const { transaction_id: id } = await eventOf(page, 'success')
        expect(await kindsOf(page)).to.deep.equal(['loaded', 'processed', 'success'])
        const { body } = await world.service.ask(world.key, 'GET', `/transactions/${id}`)
        expect(body).to.include({ amount: 50.01, status: 'processed', processing_id: world.account })
        const seen = String(await page.evaluate('seen()'))
        expect(digitsIn(seen)).to.deep.equal([])
        expect(seen).to.not.match(/"10001"|Ada Park/)
      })

      it('authorizes a payment if its key says so, for the server to capture', async () => {
        const page = await inContainer(50.02, { status: 'authorized', order_number: 'A-2' })
        await payWith(page)
        const { transaction_id: id } = await eventOf(page, 'authorized')
        const path = `/transactions/${id}`
        const held = await world.service.ask(world.key, 'GET', path)
        expect(held.body).to.include({ status: 'authorized', order_number: 'A-2' })
        const captured = await world.service.ask(world.key, 'PUT', path, { status: 'processed' })
        expect(captured.body).to.include({ status: 'processed' })
      })

      it('reports a declined card and the number of attempts, and accepts another card', async () => {
        const page = await inContainer(50.03)
        await payWith(page, DECLINED)
        const declined = await eventOf(page, 'declined')
        expect(declined).to.include({ payments_attempted: 1 })
        expect(declined.message).to.be.a('string').and.not.equal('')
        expect(await findingsOf(page)).to.deep.equal([])
        await payWith(page)
        await eventOf(page, 'processed')
        expect(await world.payments(50.03)).to.have.length(2)
      })

      it('opens over the page, keeps the keyboard out of the page, and returns the focus after the payment', async () => {
        const page = await overPage(50.04)
        expect(await page.evaluate(`document.querySelector('dialog').matches(':modal')`)).to.equal(true)
        expect(await findingsOf(page)).to.deep.equal([])
        for (let pressed = 0; pressed < 15; pressed++) {
          await page.keyboard.press('Tab')
          expect(await page.evaluate('document.activeElement.textContent')).to.not.equal('Buy')
        }
        await payWith(page)
        await eventOf(page, 'closed')
        expect(await kindsOf(page)).to.deep.equal(['loaded', 'processed', 'success', 'closed'])
        expect(await page.locator('dialog').count()).to.equal(0)
        expect(await page.evaluate('document.activeElement.textContent')).to.equal('Buy')
        expect(await world.payments(50.04)).to.have.length(1)
      })

      it('closes without a payment by Escape, even inside the frame, and by its button', async () => {
        for (const leave of [
          async (page: Page) => await page.keyboard.press('Escape'),
          async (page: Page) => {
            // The frame is removed before the key is released, so `press` fails.
            void checkout(page)
              .locator('[name=card_number]')
              .press('Escape')
              .catch(() => undefined)
          },
          async (page: Page) => await checkout(page).locator('[data-close]').click(),
        ]) {
          const page = await overPage(50.1)
          await leave(page)
          await eventOf(page, 'closed')
          expect(await page.locator('dialog').count()).to.equal(0)
          expect(await page.evaluate('document.activeElement.textContent')).to.equal('Buy')
        }
        expect(await world.payments(50.1)).to.deep.equal([])
      })

      it("gives the shop's form the id of the payment, and submits it", async () => {
        const key = await keyOf({ amount: 50.05 })
        const properties = `{ clientToken: '${key}', amount: 50.05, form: '#order', ...noting(...CHECKOUT) }`
        const form =
          '<form id="order" action="/paid" method="post"><input type="hidden" name="order" value="A-5"></form>'
        const page = await visit(`show(h(shop.Checkout, ${properties}))`, {}, form)
        await payWith(page)
        await page.waitForURL('**/paid')
        const [payment] = await world.payments(50.05)
        const posted = String(world.site.received.findLast((request) => request.startsWith('POST')))
        expect(posted).to.include('order=A-5').and.include(`pl_transaction_id=${payment?.id}`)
        expect(digitsIn(posted)).to.deep.equal([])
      })

      it('shows an error beside each wrong field, and makes no payment until all are correct', async () => {
        const page = await inContainer(50.06)
        await payWith(page, { ...CARD, number: '4242424242424243', code: '' })
        await checkout(page).locator('#field-card_number-error').waitFor()
        expect(await checkout(page).locator('#field-card_code-error').innerText()).to.equal('Fill this in')
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await world.payments(50.06)).to.deep.equal([])
        await payWith(page)
        await eventOf(page, 'processed')
        expect(await world.payments(50.06)).to.have.length(1)
      })

      it('uses the language of the browser', async () => {
        const page = await inContainer(50.07, {}, { locale: 'fr-FR' })
        expect(await payButton(page).innerText()).to.equal('Payer 50.07 USD')
      })

      it('offers only the payment methods that the key accepts, and stores a card for later charges', async () => {
        const ada = { name: 'Ada', email: 'ada@example.com' }
        const customer_id = idOf((await world.service.ask(world.key, 'POST', '/customers', ada)).body)
        const page = await inContainer(50.08, {
          bank_account_payments: false,
          keep_active: true,
          customer_id,
        })
        await payButton(page).waitFor()
        expect(await checkout(page).locator('nav').count()).to.equal(0)
        expect(await checkout(page).locator('footer').innerText()).to.include('stores the card')
        await payWith(page)
        await eventOf(page, 'processed')
        const kept = await world.service.ask(world.key, 'GET', `/payment_methods?account_id=${customer_id}`)
        const [method] = listOf(kept.body.values)
        const payment_method_id = idOf(Object(method))
        const again = { type: 'payment', amount: 50.08, payment_method_id, processing_id: world.account }
        const charged = await world.service.ask(world.key, 'POST', '/transactions', again)
        expect(charged.body).to.include({ status: 'processed' })
      })

      it('makes one payment if its button is clicked twice', async () => {
        const page = await inContainer(50.11)
        await fillCard(page)
        await payButton(page).dblclick()
        await eventOf(page, 'success')
        expect(await world.payments(50.11)).to.have.length(1)
      })

      it('makes one payment if an answer is lost and the next request exceeds the rate limit', async () => {
        const page = await inContainer(50.12)
        await whenSent(page, 'lose', 'refuse')
        await fillCard(page)
        for (const _ of ['lost', 'refused']) {
          await payButton(page).click()
          await lostNotice(page)
          await checkout(page)
            .locator('[role=alert]')
            .evaluate((notice) => notice.remove())
        }
        await payButton(page).click()
        await eventOf(page, 'processed')
        expect(await world.payments(50.12)).to.have.length(1)
      })

      it('makes one payment if the answer is lost and the page is reloaded', async () => {
        const page = await inContainer(50.13)
        await whenSent(page, 'lose')
        await payWith(page)
        await lostNotice(page)
        await page.reload()
        await payWith(page)
        await eventOf(page, 'processed')
        expect(await world.payments(50.13)).to.have.length(1)
      })

      it('fits a narrow screen, and is accessible in light and dark mode, inside a page and over it', async () => {
        const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
        for (const colorScheme of ['light', 'dark'] as const) {
          const given = { viewport: { width: 320, height: 640 }, colorScheme }
          for (const page of [await inContainer(50.14, {}, given), await overPage(50.14, given)]) {
            await payButton(page).waitFor()
            expect(await findingsOf(page), colorScheme).to.deep.equal([])
            for (const frame of page.frames()) expect(await frame.evaluate(isWide)).to.equal(false)
          }
        }
      })

      it('shows an explanation if its key does not fit the amount', async () => {
        const key = await keyOf({ amount: 20 })
        const page = await visit(`show(h(shop.Checkout, { clientToken: '${key}', amount: 21 }))`)
        expect(await checkout(page).locator('main').innerText()).to.include('amount')
      })

      it('violates no content security policy, and sends requests only to the shop and the service', () => {
        const origins = new Set(world.addresses.map((address) => new URL(address).origin))
        origins.delete('null')
        expect([...origins]).to.have.members([world.site.origin, new URL(world.service.address).origin])
        // `ERR_FAILED` comes from answers that tests drop on purpose.
        expect(world.complaints.filter((text) => !text.includes('ERR_FAILED'))).to.deep.equal([])
      })
    })
  })
}
