import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { systemClock } from '../../../src/platform/clock.js'
import {
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { idOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { chromium, patient } from '../chromium.js'
import { showing } from '../components/component-world.js'
import { type ShopSite, shopSite } from '../components/shop-site.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'

const VISA = '4242424242424242'
const POOR = '4000000000009995'

/** A shop's page with the React client, unmodified, whose account is at Stripe: the fields are Stripe's. */
if (chromium !== undefined) {
  describe('the payment form of payload-react with the fields of Stripe, in a browser', () => {
    onSqlite((open) => {
      let stripe: StripeServer
      let world: RailWorld
      let shop: ShopSite

      before(async () => {
        stripe = await openStripeServer(() => systemClock.now())
        const credentials = { secret_key: SECRET_KEY, publishable_key: PUBLISHABLE_KEY }
        world = await openRailWorld(open, { kind: 'stripe', base_url: stripe.address, credentials })
        shop = await shopSite()
      })
      after(async () => {
        await shop.close()
        await world.close()
        await stripe.close()
      })

      const visit = async (amount: number) => {
        const key = idOf(
          await world.ask('POST', '/access_tokens', {
            type: 'client',
            origins: [shop.origin],
            intent: { payment_form: { payment: { amount, processing_id: world.account } } },
          }),
        )
        const { origin } = new URL(world.service.address)
        shop.page = {
          body: '',
          first: '',
          head: `<script src="${origin}/Payload.js"></script>`,
          policy: `default-src 'none'; script-src 'self' ${origin} ${stripe.address}; frame-src ${origin} ${stripe.address}; connect-src ${stripe.address}; img-src data:; form-action 'self'`,
          script: showing(`h(shop.PaymentForm,
            { clientToken: '${key}', autoSubmit: false, action: '/paid', method: 'post', ...noting(...FORM) },
            h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '${amount.toFixed(2)}' }),
            h(shop.CardNumber), h(shop.Expiry), h(shop.CardCode),
            h('button', { type: 'submit' }, 'Pay'))`),
        }
        const page = patient(await (await world.browser.newContext()).newPage())
        await page.goto(shop.origin)
        return page
      }
      const field = (page: Page, name: string) => page.frameLocator(`iframe[name$=${name}]`).locator('input')
      const fill = async (page: Page, number = VISA) => {
        await field(page, 'cardNumber').fill(number)
        await field(page, 'cardExpiry').fill('1239')
        await field(page, 'cardCvc').fill('123')
      }
      const eventOf = async (page: Page, event: string) =>
        JSON.parse(await page.evaluate(`until(({ type, event }) => (type ?? event) === '${event}')`))

      it('takes one payment, after one that was declined, and no number reaches payctl or the shop', async () => {
        const page = await visit(12.34)
        await fill(page, POOR)
        await page.click('button:has-text("Pay")')
        await eventOf(page, 'declined')
        await fill(page)
        await page.click('button:has-text("Pay")')
        await eventOf(page, 'success')
        const payments = await world.payments()
        expect(payments.map(({ status }) => status)).to.have.members(['declined', 'processed'])
        expect(stripe.books.intents).to.have.length(2)
        const texts = [...(await world.heard()), ...shop.received, String(await page.evaluate('seen()'))]
        for (const number of [VISA, POOR])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
      })
    })
  })
}
