import { expect } from 'chai'
import type { Page, Route } from 'playwright-core'
import { paymentService } from '../../../examples/shop-server/payment-service.js'
import { serveShop } from '../../../examples/shop-server/serve-shop.js'
import { onSqlite } from '../../support/databases.js'
import { chromium, patient } from '../chromium.js'
import {
  box,
  CARD,
  type ComponentWorld,
  componentWorld,
  DECLINED,
  eventOf,
  eventWhere,
  kindsOf,
  showing,
  typeCard,
} from './component-world.js'

/** Tests that a form makes one payment, whatever happens to the request, the answer and the page. */
if (chromium !== undefined) {
  describe('a payment form that is sent more than once @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const formPage = async (amount: number, card = CARD) => {
        const key = await world.clientKey({
          payment_form: { payment: { amount, processing_id: world.account } },
        })
        const page = await world.visit({
          script: showing(`h(shop.PaymentForm,
            { clientToken: '${key}', autoSubmit: false, ref: (form) => { window.form = form }, ...noting(...FORM) },
            h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '${amount.toFixed(2)}' }),
            h(shop.Card), h('button', { type: 'submit' }, 'Pay'))`),
        })
        await typeCard(page, card)
        return page
      }
      const pay = 'button:has-text("Pay")'
      /** Handles the requests that create payments; returns a growing list of their idempotency keys. */
      const intercept = async (page: Page, handle: (route: Route, count: number) => Promise<void>) => {
        const keys: string[] = []
        await page.route('**/transactions', async (route) => {
          const request = route.request()
          if (request.method() !== 'POST') return await route.continue()
          keys.push((await request.headerValue('idempotency-key')) ?? '')
          await handle(route, keys.length)
        })
        return keys
      }
      /**
       * Sends the form; resolves when the service has taken the payment. The page gets no answer to this
       * request, but answers to later ones.
       */
      const payUnanswered = async (page: Page) => {
        const taken = Promise.withResolvers<void>()
        await intercept(page, async (route, count) => {
          if (count > 1) return await route.continue()
          await route.fetch()
          taken.resolve()
        })
        await page.click(pay)
        await taken.promise
      }

      it('makes one payment after a double click', async () => {
        const page = await formPage(30.01)
        const keys = await intercept(page, (route) => route.continue())
        await page.dblclick(pay)
        await eventOf(page, 'success')
        expect(keys).to.have.length(1)
        expect(keys[0]).to.not.equal('')
        expect(await world.payments(30.01)).to.have.length(1)
        expect((await kindsOf(page)).filter((type) => type === 'processed')).to.have.length(1)
      })

      it('makes one payment if the page submits it repeatedly', async () => {
        const page = await formPage(30.02)
        const ids = await page.evaluate(
          'Promise.allSettled([form.submit(), form.submit(), form.submit()]).then((all) => JSON.stringify(all))',
        )
        expect(String(ids)).to.include('txn_')
        expect(await world.payments(30.02)).to.have.length(1)
      })

      it('makes one payment if the answer is lost', async () => {
        const page = await formPage(30.03)
        const keys = await intercept(page, async (route, count) => {
          if (count > 1) return await route.continue()
          // The service takes the payment, but the page gets no answer.
          await route.fetch()
          await route.abort('connectionreset')
        })
        await page.click(pay)
        await eventWhere(page, "({ type }) => type === 'processed' || type === 'error'")
        if (!(await kindsOf(page)).includes('processed')) await page.click(pay)
        await eventOf(page, 'processed')
        expect(await world.payments(30.03)).to.have.length(1)
        expect(keys).to.have.length(2)
        expect(new Set(keys)).to.have.property('size', 1)
      })

      it('makes one payment if the request is lost', async () => {
        const page = await formPage(30.04)
        await intercept(page, (route, count) =>
          count === 1 ? route.abort('connectionrefused') : route.continue(),
        )
        await page.click(pay)
        await eventWhere(page, "({ type }) => type === 'processed' || type === 'error'")
        if (!(await kindsOf(page)).includes('processed')) await page.click(pay)
        await eventOf(page, 'processed')
        expect(await world.payments(30.04)).to.have.length(1)
      })

      it('makes another payment, with another idempotency key, if the payer types another card after a decline', async () => {
        const page = await formPage(30.05, DECLINED)
        const keys = await intercept(page, (route) => route.continue())
        await page.click(pay)
        await eventOf(page, 'declined')
        await box(page, 'card', 'cc-number').fill('')
        await box(page, 'card', 'cc-number').pressSequentially(CARD.number)
        await page.click(pay)
        await eventOf(page, 'processed')
        expect(new Set(keys)).to.have.property('size', 2)
        expect(await world.payments(30.05)).to.have.length(2)
      })

      it("makes one payment if it is sent again after success, and then sends the shop's server the same id", async () => {
        const page = await formPage(30.1)
        await page.evaluate(`form.pl_form.params.autosubmit = true
          window.sent = []
          HTMLFormElement.prototype.submit = function () { sent.push(new FormData(this).get('pl_transaction_id')) }`)
        for (const _ of [1, 2]) await page.evaluate('form.submit()')
        const [first, second, ...more]: string[] = await page.evaluate('sent')
        expect([second, more]).to.deep.equal([first, []])
        expect((await kindsOf(page)).filter((type) => type === 'success')).to.have.length(1)
        expect(await world.payments(30.1)).to.have.length(1)
      })

      it('makes another payment with another card after a lost answer if the first card was declined', async () => {
        const page = await formPage(30.11, DECLINED)
        let isLost = true
        await intercept(page, async (route, count) => {
          if (!isLost) return await route.continue()
          if (count === 1) await route.fetch()
          await route.abort()
        })
        const refused = await page.evaluate('form.submit().catch(({ data }) => data.error_type)')
        expect(refused).to.equal('ServiceUnavailable')
        isLost = false
        await box(page, 'card', 'cc-number').fill('')
        await box(page, 'card', 'cc-number').pressSequentially(CARD.number)
        await page.click(pay)
        await eventOf(page, 'processed')
        const statuses = (await world.payments(30.11)).map(({ status }) => status)
        expect(statuses).to.have.members(['declined', 'processed'])
      })

      it('makes one payment if the page is reloaded after the payment and the form is sent again', async () => {
        const page = await formPage(30.06)
        await page.click(pay)
        const { transaction_id: id } = await eventOf(page, 'success')
        await page.reload()
        await typeCard(page)
        await page.click(pay)
        expect(await eventOf(page, 'success')).to.include({ transaction_id: id })
        expect(await kindsOf(page)).to.include('processed')
        expect(await world.payments(30.06)).to.have.length(1)
      })

      it('makes no second payment with another card after a reload until the payer has seen a warning', async () => {
        const page = await formPage(30.07)
        await page.click(pay)
        await eventOf(page, 'success')
        await page.reload()
        await typeCard(page, { ...CARD, number: '4111111111111111' })
        await page.click(pay)
        const { message } = await eventOf(page, 'error')
        expect(message).to.include('Check whether you have already paid')
        expect(await world.payments(30.07)).to.have.length(1)
        await page.click(pay)
        await eventOf(page, 'success')
        expect(await world.payments(30.07)).to.have.length(2)
      })

      it('makes one payment if a reload loses the answer and the form is first sent empty', async () => {
        const page = await formPage(30.08)
        await payUnanswered(page)
        await page.reload()
        await box(page, 'card', 'cc-csc').waitFor()
        await page.click(pay)
        expect(await eventOf(page, 'error')).to.include({ error_type: 'InvalidAttributes' })
        await typeCard(page)
        await page.click(pay)
        await eventOf(page, 'processed')
        expect(await world.payments(30.08)).to.have.length(1)
      })

      it('makes one payment if the page moves the form, and so reloads its frames, before the answer', async () => {
        const page = await formPage(30.09)
        await payUnanswered(page)
        await page.evaluate(`document.body.append(document.querySelector('form'))`)
        const { message } = await eventOf(page, 'error')
        expect(message).to.include('Send it again')
        await typeCard(page)
        await page.click(pay)
        await eventOf(page, 'processed')
        expect(await world.payments(30.09)).to.have.length(1)
      })

      it("makes one payment if the page is reloaded before the answer, because the shop's server finds the payment", async () => {
        const shop = await serveShop({
          name: 'react-shop',
          service: paymentService(world.service.address, world.key),
          port: 0,
        })
        const context = patient(await world.browser.newContext())
        const page = await context.newPage()
        await page.goto(shop.origin)
        await page.click('button:has-text("Order")')
        await typeCard(page)
        const taken = Promise.withResolvers<void>()
        await intercept(page, async (route) => {
          await route.fetch()
          taken.resolve()
        })
        await page.click(pay)
        await taken.promise
        await page.reload()
        await page.locator('#thanks:has-text("is paid")').waitFor()
        const payments = await world.payments(14.99)
        expect(payments).to.have.length(1)
        expect(payments[0]).to.include({ status: 'processed' })
        await context.close()
        await shop.close()
      })
    })
  })
}
