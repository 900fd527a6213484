import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import { box, eventOf, kindsOf } from '../components/component-world.js'
import {
  bankOf,
  ONE_INPUT,
  openStripeShop,
  SEND,
  type StripeShop,
  typeIntoStripe,
  WATCHED,
} from './stripe-shop.js'

/**
 * Tests payers on a shop's page who must authenticate with their bank: in an overlay, in a checkout, or on the
 * bank's own page.
 */
if (chromium !== undefined) {
  describe('a page of payload-react whose payer must authenticate with the bank, in a browser @rest', () => {
    onSqlite((open) => {
      let shop: StripeShop
      let now = Date.now()

      before(async () => {
        shop = await openStripeShop(open, { clock: { now: () => now } })
      })
      after(() => shop.close())

      const chargedAt = ({ stripe }: StripeShop, amount: number) =>
        stripe.books.intents
          .filter((each) => each.amount === Math.round(amount * 100))
          .map(({ status }) => status)

      it('reports a decline after half an hour, while the page of the bank is still open', async () => {
        const page = await shop.paymentPage(32.34, ONE_INPUT)
        await typeIntoStripe(page, WATCHED)
        await page.click(SEND)
        await bankOf(page).getByText('Complete').waitFor()
        now += 31 * 60_000
        expect(await eventOf(page, 'declined')).to.include({ status_code: 'authentication_required' })
        expect(await kindsOf(page)).to.deep.equal(['processing', 'declined'])
        expect(chargedAt(shop, 32.34)).to.deep.equal(['canceled'])
      })

      it('makes the payment in the account of a merchant on Stripe Connect', async () => {
        const { world, stripe } = shop
        const route = { processing_id: world.account }
        await world.ask('PUT', '/admin/gateway_routes', { ...route, default: 'up', merchant: 'acct_theirs' })
        const page = await shop.paymentPage(32.35, ONE_INPUT)
        await typeIntoStripe(page, WATCHED)
        await page.click(SEND)
        await bankOf(page).getByText('Complete').click()
        await eventOf(page, 'processed')
        expect(stripe.accounts.get(stripe.books.intents.at(-1)?.id ?? '')).to.equal('acct_theirs')
        await world.ask('PUT', '/admin/gateway_routes', { ...route, default: null })
      })

      for (const [place, opening] of [
        ['in its container', (options: string) => `show(h(shop.Checkout, ${options}))`],
        ['over the page', (options: string) => `shop.openCheckout(${options})`],
      ] as const)
        it(`takes a payment with Stripe's fields in a checkout ${place} after authentication`, async () => {
          const amount = place === 'over the page' ? 32.36 : 32.37
          const key = await shop.clientKey({
            checkout_plugin: { processing_id: shop.world.account, amount },
          })
          const page = await shop.visit({
            script: `const { h, show } = shop; ${opening(`{ clientToken: '${key}', amount: '${amount}', autoSubmit: false, ...noting(...CHECKOUT) }`)}`,
          })
          const frame = page.frameLocator('iframe[data-payctl]')
          for (const [name, value] of [
            ['card_number', WATCHED],
            ['expiry', '1239'],
            ['card_code', '123'],
          ] as const)
            await frame.frameLocator(`[data-rail-field=${name}] iframe`).locator('input').fill(value)
          await frame.locator('[name=account_holder]').fill('Ada Park')
          await frame.locator('[name=postal_code]').fill('10001')
          await frame.locator('button[type=submit]').click()
          await frame.frameLocator('iframe[title="Your bank"]').getByText('Complete').click()
          await eventOf(page, 'success')
          expect((await kindsOf(page)).filter((kind) => !['loaded', 'closed'].includes(kind))).to.deep.equal([
            'processed',
            'success',
          ])
          expect(chargedAt(shop, amount)).to.deep.equal(['succeeded'])
        })

      it('violates no content security policy', () => {
        const expected = /status of 40[0-9]/
        expect(shop.world.complaints.filter((text) => !expected.test(text))).to.deep.equal([])
      })
    })
  })

  describe("a page of payload-react without Stripe's script, in a browser @rest", () => {
    onSqlite((open) => {
      let shop: StripeShop
      before(async () => {
        shop = await openStripeShop(open, { hasScript: false })
      })
      after(() => shop.close())

      for (const [word, event, status] of [
        ['Complete', 'success', 'succeeded'],
        ['Fail', 'declined', 'canceled'],
      ] as const)
        it(`reports the outcome after the payer chooses ${word} in a window of the bank`, async () => {
          const amount = word === 'Complete' ? 42.34 : 42.35
          const page = await shop.paymentPage(amount, ONE_INPUT)
          await box(page, 'card', 'cc-number').pressSequentially(WATCHED)
          await box(page, 'card', 'cc-exp').pressSequentially('1239')
          await box(page, 'card', 'cc-csc').pressSequentially('123')
          await page.click(SEND)
          const opening = page.waitForEvent('popup')
          await page.frameLocator('div[data-payctl] iframe').getByText('Continue at your bank').click()
          const bank = await opening
          await bank.click(`text=${word}`)
          await eventOf(page, event)
          expect((await kindsOf(page)).at(-1)).to.equal(event)
          expect(shop.stripe.books.intents.at(-1)?.status).to.equal(status)
          expect(await page.locator('div[data-payctl]').count()).to.equal(0)
        })

      it('says that it takes no payments, before a number is typed, if its gateway may not receive typed numbers', async () => {
        const { values } = await shop.world.ask('GET', '/admin/gateways')
        const [gateway] = Array.isArray(values) ? values : []
        const id = typeof gateway === 'object' && gateway !== null && 'id' in gateway ? gateway.id : ''
        await shop.world.ask('PUT', `/admin/gateways/${id}`, { card_entry: false })
        const page = await shop.paymentPage(42.36, `${ONE_INPUT} h(shop.AccountNumber),`)
        await page.waitForSelector('text=No payments are taken here')
        expect(
          await page.locator('[pl-input=card] iframe, [pl-input=account_number] iframe').count(),
        ).to.equal(0)
        await page.click(SEND)
        expect((await eventOf(page, 'error')).message).to.include('No payments are taken here')
        expect(shop.stripe.books.intents.some(({ amount }) => amount === 4236)).to.equal(false)
      })
    })
  })
}
