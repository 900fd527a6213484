import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { idOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import { eventOf, kindsOf } from '../components/component-world.js'
import { hasNumber } from './rail-world.js'
import {
  bankOf,
  ONE_INPUT,
  openStripeShop,
  POOR,
  SEND,
  SPLIT_INPUTS,
  type StripeShop,
  typeIntoStripe,
  VISA,
  WATCHED,
} from './stripe-shop.js'

/** Tests a shop's page with the unmodified React client, whose account is at Stripe. The fields are Stripe's. */
if (chromium !== undefined) {
  describe('a page of payload-react with the fields of Stripe, in a browser @rest', () => {
    onSqlite((open) => {
      let shop: StripeShop
      let seen: string[] = []

      before(async () => {
        shop = await openStripeShop(open)
      })
      after(() => shop.close())

      const statusesOf = async (amount: number) => {
        const payments = (await shop.world.payments()).filter((each) => each.amount === amount)
        return payments.map(({ status }) => status)
      }
      /** Statuses of the payment intents at Stripe with the given amount. */
      const charged = (amount: number) =>
        shop.stripe.books.intents
          .filter((each) => each.amount === Math.round(amount * 100))
          .map(({ status }) => status)
      const noteSeen = async (page: Page) => {
        seen.push(String(await page.evaluate('seen()')))
      }
      const customer = async () =>
        idOf(await shop.world.ask('POST', '/customers', { name: 'Ada Park', email: 'ada@example.com' }))

      it('takes one payment in separate fields, after a declined payment', async () => {
        const page = await shop.paymentPage(12.34, SPLIT_INPUTS)
        await typeIntoStripe(page, POOR)
        await page.click(SEND)
        await eventOf(page, 'declined')
        await typeIntoStripe(page)
        await page.dblclick(SEND)
        await eventOf(page, 'success')
        expect(await statusesOf(12.34)).to.have.members(['declined', 'processed'])
        expect(charged(12.34)).to.have.length(2)
        await noteSeen(page)
      })

      it('takes a payment in one field for the whole card', async () => {
        const page = await shop.paymentPage(12.35, ONE_INPUT)
        await typeIntoStripe(page)
        await page.waitForSelector('[pl-input=card].pl-focus')
        await page.click(SEND)
        await eventOf(page, 'success')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'processed', 'success'])
        expect([await statusesOf(12.35), charged(12.35)]).to.deep.equal([['processed'], ['succeeded']])
        await noteSeen(page)
      })

      it('takes a payment by Payload.Form, without React, in a field that is added later', async () => {
        const key = await shop.clientKey({
          payment_form: { payment: { amount: 12.36, processing_id: shop.world.account } },
        })
        const page = await shop.visit({
          body: '<form pl-form="payment"><input type="hidden" pl-input="amount" value="12.36"><button>Send</button></form>',
          script: `Payload('${key}')
            window.form = new Payload.Form({ form: document.querySelector('form'), autosubmit: false })
            for (const name of FORM) form.on(name, note)
            const card = Object.assign(document.createElement('div'), { id: 'card' })
            card.setAttribute('pl-input', 'card')
            document.querySelector('form').prepend(card)`,
        })
        await typeIntoStripe(page)
        const sent = await page.evaluate('Promise.all([form.submit(), form.submit()]).then(JSON.stringify)')
        const [first, second] = JSON.parse(String(sent))
        expect(first).to.deep.equal(second)
        expect(charged(12.36)).to.deep.equal(['succeeded'])
      })

      it('reports an invalid card, and sends no request', async () => {
        const page = await shop.paymentPage(12.37, ONE_INPUT)
        await typeIntoStripe(page, '4242424242424241')
        await page.click(SEND)
        expect((await eventOf(page, 'error')).message).to.equal('Your card number is invalid.')
        expect(await eventOf(page, 'invalid')).to.include({ target: 'card' })
        expect(charged(12.37)).to.deep.equal([])
      })

      it('reports that the fields are blocked, and sends no request', async () => {
        const page = await shop.paymentPage(12.38, ONE_INPUT)
        await page.route('**/endive/stripe.js', (route) => route.abort('blockedbyclient'))
        await page.reload()
        await page.click(SEND)
        expect((await eventOf(page, 'error')).message).to.include('Nothing was paid')
        expect(charged(12.38)).to.deep.equal([])
      })

      it("saves a card, which the shop's server charges later", async () => {
        const id = await customer()
        const page = await shop.methodPage(id, ONE_INPUT)
        await typeIntoStripe(page)
        await page.dblclick(SEND)
        const { payment_method_id: method } = await eventOf(page, 'created')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'created', 'success'])
        const body = {
          type: 'payment',
          amount: 5,
          customer_id: id,
          processing_id: shop.world.account,
        }
        expect(await shop.world.ask('POST', '/transactions', body)).to.include({
          status: 'processed',
          payment_method_id: method,
        })
        expect(shop.stripe.setups.made.filter(({ status }) => status === 'succeeded')).to.have.length(1)
        await noteSeen(page)
      })

      it("shows the bank's page over the whole page, and takes the payment after authentication", async () => {
        const page = await shop.paymentPage(22.34, SPLIT_INPUTS)
        await typeIntoStripe(page, WATCHED)
        await page.click(SEND)
        const bank = bankOf(page)
        await bank.getByText('Complete').waitFor()
        expect(await kindsOf(page)).to.deep.equal(['processing'])
        expect(await page.evaluate('document.querySelector("div[data-payctl]").closest("dialog")')).to.equal(
          null,
        )
        expect(await page.evaluate('document.querySelector("form").closest("[inert]") !== null')).to.equal(
          true,
        )
        await bank.getByText('Complete').click()
        const { transaction_id: id } = await eventOf(page, 'success')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'processed', 'success'])
        expect(await shop.world.ask('GET', `/transactions/${id}`)).to.include({ status: 'processed' })
        expect(await page.locator('div[data-payctl]').count()).to.equal(0)
        expect(await page.evaluate('document.querySelector("[inert]")')).to.equal(null)
        expect(charged(22.34)).to.deep.equal(['succeeded'])
        await noteSeen(page)
      })

      it('makes no payment if the payer refuses to authenticate, and accepts another card', async () => {
        const page = await shop.paymentPage(22.35, ONE_INPUT)
        await typeIntoStripe(page, WATCHED)
        await page.click(SEND)
        await bankOf(page).getByText('Fail').click()
        expect(await eventOf(page, 'declined')).to.include({ status_code: 'authentication_required' })
        expect(await kindsOf(page)).to.deep.equal(['processing', 'declined'])
        expect([await statusesOf(22.35), charged(22.35)]).to.deep.equal([['declined'], ['canceled']])
        await typeIntoStripe(page)
        await page.click(SEND)
        await eventOf(page, 'success')
        expect(charged(22.35)).to.deep.equal(['canceled', 'succeeded'])
      })

      it('makes no payment if the payer cancels', async () => {
        const page = await shop.paymentPage(22.36, ONE_INPUT)
        await typeIntoStripe(page, WATCHED)
        await page.click(SEND)
        await bankOf(page).getByText('Fail').waitFor()
        const ours = page.frameLocator('div[data-payctl] iframe')
        await ours.locator('iframe').evaluate((frame) => frame.remove())
        await ours.getByText('Do not pay').click()
        await eventOf(page, 'declined')
        expect([await statusesOf(22.36), charged(22.36)]).to.deep.equal([['declined'], ['canceled']])
      })

      it("shows the bank's page in front of a dialog that contains the form", async () => {
        const key = await shop.clientKey({
          payment_form: { payment: { amount: 22.37, processing_id: shop.world.account } },
        })
        const page = await shop.visit({
          body: '<dialog><form pl-form="payment"><input type="hidden" pl-input="amount" value="22.37"><div pl-input="card"></div><button>Send</button></form></dialog>',
          script: `document.querySelector('dialog').showModal()
            Payload('${key}')
            const form = new Payload.Form({ form: document.querySelector('form'), autosubmit: false })
            for (const name of FORM) form.on(name, note)`,
        })
        await typeIntoStripe(page, WATCHED)
        await page.click(SEND)
        await bankOf(page).getByText('Complete').click()
        await eventOf(page, 'success')
        expect(charged(22.37)).to.deep.equal(['succeeded'])
      })

      it('saves a card after authentication, and not if the payer refuses', async () => {
        const id = await customer()
        const page = await shop.methodPage(id, SPLIT_INPUTS)
        await typeIntoStripe(page, '4000002500003155')
        await page.click(SEND)
        await bankOf(page).getByText('Fail').click()
        await eventOf(page, 'error')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'error'])
        const methods = async () => (await shop.world.ask('GET', `/payment_methods?account_id=${id}`)).values
        expect(await methods()).to.deep.equal([])
        await page.click(SEND)
        await bankOf(page).getByText('Complete').click()
        const { payment_method_id: method } = await eventOf(page, 'created')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'error', 'processing', 'created', 'success'])
        expect(await methods()).to.have.length(1)
        expect(method).to.match(/^pm_/)
        await noteSeen(page)
      })

      it('exposes no card number to the shop or the service', async () => {
        const texts = [...(await shop.world.heard()), ...shop.site.received, ...seen]
        seen = []
        for (const number of [VISA, POOR, WATCHED, '4000002500003155'])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
        expect(texts.some((text) => text.includes('pm_'))).to.equal(true)
      })

      it('violates no content security policy', () => {
        const expected = /status of 40[0-9]|ERR_BLOCKED_BY_CLIENT/
        expect(shop.world.complaints.filter((text) => !expected.test(text))).to.deep.equal([])
      })
    })
  })
}
