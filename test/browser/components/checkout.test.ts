import { expect } from 'chai'
import type { FrameLocator, Page } from 'playwright-core'
import type { JsonObject } from '../../../src/schema/json.js'
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

/** `Checkout` of the React client, unmodified, on a page of another site than the service's. */
if (chromium !== undefined) {
  describe('the checkout of payload-react, in a browser', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const visit = async (options: JsonObject, script: (key: string) => string, body = '') => {
        const key = await world.clientKey({
          checkout_plugin: { processing_id: world.account, ...options },
        })
        return await world.visit({ body, script: `const { h, show } = shop; ${script(key)}` })
      }
      const inContainer = (amount: number, options: JsonObject = {}) =>
        visit(
          { amount, ...options },
          (key) =>
            `show(h(shop.Checkout, { clientToken: '${key}', amount: ${amount}, autoSubmit: false, ...noting(...CHECKOUT) }))`,
        )
      /** The frame of the checkout's page. */
      const checkout = (page: Page): FrameLocator => page.locator('iframe').contentFrame()
      const fillCard = async (frame: FrameLocator, { number, expiry, code } = CARD) => {
        await frame.locator('[autocomplete="cc-number"]').fill(number)
        await frame.locator('[autocomplete="cc-exp"]').fill(expiry)
        await frame.locator('[autocomplete="cc-csc"]').fill(code)
        await frame.locator('[autocomplete="cc-name"]').fill('Ada Park')
        await frame.locator('[autocomplete*="postal-code"]').fill('10001')
      }
      const payWith = async (frame: FrameLocator, card = CARD) => {
        await fillCard(frame, card)
        await frame.getByRole('button', { name: 'Pay' }).click()
      }

      it('is paid in the container of the page', async () => {
        const page = await inContainer(50.01)
        const frame = checkout(page)
        await eventOf(page, 'loaded')
        expect(await page.locator('#root iframe').count()).to.be.greaterThan(0)
        await payWith(frame)
        const { transaction_id: id } = await eventOf(page, 'success')
        expect(await kindsOf(page)).to.include.members(['loaded', 'processed', 'success'])
        const { body } = await world.service.ask(world.key, 'GET', `/transactions/${id}`)
        expect(body).to.include({ amount: 50.01, status: 'processed', processing_id: world.account })
        expect(digitsIn(String(await page.evaluate('seen()')))).to.deep.equal([])
      })

      it('authorizes where its key says so, and the server captures', async () => {
        const page = await inContainer(50.02, { status: 'authorized' })
        await payWith(checkout(page))
        const { transaction_id: id } = await eventOf(page, 'authorized')
        const path = `/transactions/${id}`
        expect((await world.service.ask(world.key, 'GET', path)).body).to.include({ status: 'authorized' })
        const captured = await world.service.ask(world.key, 'PUT', path, { status: 'processed' })
        expect(captured.body).to.include({ status: 'processed' })
      })

      it('says that a card is declined, how often it was tried, and takes the next one', async () => {
        const page = await inContainer(50.03)
        await payWith(checkout(page), DECLINED)
        expect(await eventOf(page, 'declined')).to.include({ payments_attempted: 1 })
        await payWith(checkout(page))
        await eventOf(page, 'processed')
        expect(await world.payments(50.03)).to.have.length(2)
      })

      it('opens over the page where there is no container, and closes by the keyboard', async () => {
        const page = await visit({ amount: 50.04 }, (key) => {
          const options = `{ clientToken: '${key}', amount: '50.04', autoSubmit: false, ...noting(...CHECKOUT) }`
          return `show(h('button', { onClick: () => shop.openCheckout(${options}) }, 'Buy'))`
        })
        await page.click('button:has-text("Buy")')
        await eventOf(page, 'loaded')
        expect(await findingsOf(page)).to.deep.equal([])
        await page.keyboard.press('Escape')
        await eventOf(page, 'closed')
        expect(await page.evaluate('document.activeElement.textContent')).to.equal('Buy')

        await page.evaluate('events.length = 0')
        await page.click('button:has-text("Buy")')
        await payWith(checkout(page))
        await eventOf(page, 'success')
        expect(await world.payments(50.04)).to.have.length(1)
      })

      it("gives the shop's form the id of the payment, and submits it", async () => {
        const page = await visit(
          { amount: 50.05 },
          (key) =>
            `show(h(shop.Checkout, { clientToken: '${key}', amount: 50.05, form: '#order', ...noting(...CHECKOUT) }))`,
          '<form id="order" action="/paid" method="post"><input type="hidden" name="order" value="A-5"></form>',
        )
        await payWith(checkout(page))
        await page.waitForURL('**/paid')
        const [payment] = await world.payments(50.05)
        const posted = String(world.site.received.findLast((request) => request.startsWith('POST')))
        expect(posted).to.include('order=A-5').and.include(`pl_transaction_id=${payment?.id}`)
        expect(digitsIn(posted)).to.deep.equal([])
      })

      it('is one payment when its button is clicked twice', async () => {
        const page = await inContainer(50.06)
        const frame = checkout(page)
        await fillCard(frame)
        await frame.getByRole('button', { name: 'Pay' }).dblclick()
        await eventOf(page, 'success')
        expect(await world.payments(50.06)).to.have.length(1)
      })

      it('breaks no policy, and asks no other address', () => {
        const origins = new Set(world.addresses.map((address) => new URL(address).origin))
        origins.delete('null')
        expect([...origins]).to.have.members([world.site.origin, new URL(world.service.address).origin])
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
