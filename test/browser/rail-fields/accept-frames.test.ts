import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { JsonObject } from '../../../src/schema/json.js'
import { type Input, isTree } from '../../../src/schema/types.js'
import {
  AuthorizeNetServer,
  LOGIN,
  SIGNATURE_KEY,
  TRANSACTION_KEY,
} from '../../gateways/authorizenet/authorizenet-server.js'
import { idOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { chromium, patient } from '../chromium.js'
import { box, showing, typeCard } from '../components/component-world.js'
import { type ShopSite, shopSite } from '../components/shop-site.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'

const VISA = '4111111111111111'
const POOR = '4012888888881881'

/**
 * Tests a shop's page with the unmodified React client, whose account is at Authorize.Net. Accept.js runs in
 * frames of the service.
 */
if (chromium !== undefined) {
  describe('the payment form of payload-react with Accept.js, in a browser @rest', () => {
    onSqlite((open) => {
      const rail = new AuthorizeNetServer(Date.now)
      let world: RailWorld
      let shop: ShopSite

      before(async () => {
        const base_url = await rail.start()
        const credentials = {
          login_id: LOGIN,
          transaction_key: TRANSACTION_KEY,
          signature_key: SIGNATURE_KEY,
        }
        world = await openRailWorld(open, { kind: 'authorizenet', base_url, credentials })
        rail.books.reasons.set('1881', '2')
        shop = await shopSite()
      })
      after(async () => {
        await shop.close()
        await world.close()
        await rail.stop()
      })

      /** Opens a page of the shop with a component; its content security policy allows only the service. */
      const visitWith = async (
        { intent, element }: { readonly intent: JsonObject; readonly element: (key: string) => string },
        isBlocked = false,
      ) => {
        const key = idOf(
          await world.ask('POST', '/access_tokens', { type: 'client', origins: [shop.origin], intent }),
        )
        const { origin } = new URL(world.service.address)
        shop.page = {
          body: '',
          first: '',
          head: `<script src="${origin}/Payload.js"></script>`,
          policy: `default-src 'none'; script-src 'self' ${origin}; frame-src ${origin}; img-src data:; form-action 'self'`,
          script: showing(element(key)),
        }
        const context = await world.browser.newContext()
        if (isBlocked) await context.route('**/v1/Accept.js', (route) => route.abort('blockedbyclient'))
        const page = patient(await context.newPage())
        page.on('request', (request) => {
          if (request.url().startsWith(world.service.address)) sent.push(request.postData() ?? '')
        })
        await page.goto(shop.origin)
        return page
      }
      const visit = async (amount: number, { isBlocked = false } = {}) =>
        await visitWith(
          {
            intent: { payment_form: { payment: { amount, processing_id: world.account } } },
            element: (key) => `h(shop.PaymentForm,
            { clientToken: '${key}', autoSubmit: false, action: '/paid', method: 'post', ...noting(...FORM) },
            h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '${amount.toFixed(2)}' }),
            h(shop.CardNumber), h(shop.Expiry), h(shop.CardCode),
            h('button', { type: 'submit' }, 'Pay'))`,
          },
          isBlocked,
        )
      const sent: string[] = []
      const fill = async (page: Page, number = VISA, code = '123') => {
        await box(page, 'card_number').fill(number)
        await box(page, 'expiry').fill('12/39')
        await box(page, 'card_code').fill(code)
      }
      const pay = async (page: Page) => await page.click('button:has-text("Pay")')
      const eventOf = async (page: Page, event: string) =>
        JSON.parse(await page.evaluate(`until(({ type, event }) => (type ?? event) === '${event}')`))
      const made = () => [...rail.books.transactions.values()].filter(({ status }) => status !== 'declined')
      const charges = (): Input[] =>
        rail.requests.flatMap(({ name, fields }) =>
          name === 'createTransactionRequest' && isTree(fields.transactionRequest)
            ? [fields.transactionRequest]
            : [],
        )

      it('takes one payment after a declined one, each by a one-time token (nonce)', async () => {
        const page = await visit(12.34)
        await fill(page, POOR)
        await pay(page)
        await eventOf(page, 'declined')
        await fill(page)
        await page.dblclick('button:has-text("Pay")')
        await eventOf(page, 'success')
        const payments = await world.payments()
        expect(payments.map(({ status }) => status)).to.have.members(['declined', 'processed'])
        expect(made()).to.have.length(1)
        for (const { payment } of charges()) expect(payment).to.have.all.keys('opaqueData')
      })

      it('makes no second payment if it is sent again after a success', async () => {
        const before = made().length
        const page = await visit(23.45)
        await fill(page)
        await pay(page)
        await eventOf(page, 'success')
        await pay(page)
        await page.waitForTimeout(500)
        expect(made().length).to.equal(before + 1)
      })

      it('stores the card as a profile with its expiry, and charges it again', async () => {
        const [payment] = (await world.payments()).slice(-1)
        const shown = await world.ask('GET', `/transactions/${payment?.id}?fields=payment_method`)
        const { payment_method: method } = shown
        expect(isTree(method) ? method : {}).to.include({ description: 'Visa ending in 1111' })
        expect(isTree(method) && isTree(method.card) ? method.card : {}).to.include({ expiry: '12/39' })
        const again = await world.ask('POST', '/transactions', {
          type: 'payment',
          amount: 7,
          processing_id: world.account,
          payment_method_id: isTree(method) ? String(method.id) : '',
        })
        expect(again.status).to.equal('processed')
        expect(charges().at(-1))
          .to.have.property('profile')
          .that.has.all.keys('customerProfileId', 'paymentProfile')
      })

      it('saves a card from one field without a payment, and charges it later', async () => {
        const before = charges().length
        const customer = idOf(await world.ask('POST', '/customers', { name: 'Ada Park' }))
        const page = await visitWith({
          intent: { payment_method_form: { payment_method: { account_id: customer } } },
          element: (key) => `h(shop.PaymentMethodForm,
            { clientToken: '${key}', autoSubmit: false, action: '/saved', method: 'post', ...noting(...FORM) },
            h(shop.Card), h('button', { type: 'submit' }, 'Pay'))`,
        })
        await typeCard(page, { number: VISA, expiry: '12/39', code: '123' })
        await pay(page)
        const { payment_method_id } = await eventOf(page, 'created')
        expect(charges().length).to.equal(before)
        const query = `/payment_methods/${payment_method_id}?fields=*,last_four`
        expect(await world.ask('GET', query)).to.include({ last_four: '1111', account_id: customer })
        const body = { type: 'payment', amount: 8, processing_id: world.account, payment_method_id }
        expect(await world.ask('POST', '/transactions', body)).to.include({ status: 'processed' })
      })

      it('reports an invalid card, and makes no charge', async () => {
        const before = charges().length
        const page = await visit(34.56)
        await fill(page, '4111111111111112')
        await pay(page)
        await eventOf(page, 'invalid')
        expect(charges().length).to.equal(before)
      })

      it('reports an error if the script Accept.js is blocked', async () => {
        const before = charges().length
        const page = await visit(45.67, { isBlocked: true })
        await fill(page)
        await pay(page)
        const { message } = await eventOf(page, 'error')
        expect(message).to.include('Nothing was paid')
        expect(charges().length).to.equal(before)
      })

      it("exposes no card number to the service, its database or the shop's server", async () => {
        const texts = [...(await world.heard()), ...sent, ...shop.received]
        for (const number of [VISA, POOR])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
        expect(sent.some((text) => text.includes('COMMON.ACCEPT'))).to.equal(true)
      })
    })
  })
}
