import { expect } from 'chai'
import type { Browser, BrowserContextOptions, FrameLocator, Page, Route } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { openShop, type Shop } from '../http/interface/shop.js'
import { CARD } from '../http/pages/payment/payer.js'
import { idOf, listOf, objectOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { findingsOf } from './accessibility.js'
import { chromium, launch, patient } from './chromium.js'
import { type FieldsPage, fieldsPage } from './fields-page.js'

const DECLINING = '4111 1111 1111 9904'
const EVENTS = ['loaded', 'closed', 'processed', 'authorized', 'declined', 'success', 'error']

const CONTAINER = `<form id="order" method="post" action="/done"></form><div id="place"></div>`

/** The checkout of a shop's page, on another site than the service, under a policy that allows no style. */
if (chromium !== undefined) {
  describe('Payload.Checkout in a browser', () => {
    onSqlite((open) => {
      let shop: Shop
      let browser: Browser
      let party: FieldsPage
      let key: string
      let options: string
      const complaints: string[] = []

      before(async () => {
        shop = await openShop(open)
        party = await fieldsPage(() => ({
          script: `${shop.service.address}/Payload.js`,
          body: CONTAINER,
          code: `window.seen = []
window.messages = []
addEventListener('message', ({ data }) => messages.push(data))
Payload(${JSON.stringify(key)})
window.checkout = new Payload.Checkout({ ${options} })
for (const event of ${JSON.stringify(EVENTS)}) checkout.on(event, (payload) => seen.push(payload))`,
        }))
        browser = await launch()
      })
      after(async () => {
        await browser.close()
        await party.close()
      })
      beforeEach(async () => {
        key = await clientKey()
        options = `amount: '12.50', container: document.getElementById('place')`
        party.posted.length = 0
      })

      const clientKey = async (intent: JsonObject = {}, more: JsonObject = {}) =>
        idOf(
          await shop.ok('POST', '/access_tokens', {
            type: 'client',
            processing_id: shop.account,
            intent: { checkout_plugin: intent },
            origins: [party.origin],
            ...more,
          }),
        )
      const visit = async (given: BrowserContextOptions = {}): Promise<Page> => {
        const page = patient(await (await browser.newContext(given)).newPage())
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          // A refusal has a status of its own, a lost answer is one by intent.
          if (message.type() === 'error' && !/status of 4|ERR_FAILED/.test(message.text()))
            complaints.push(message.text())
        })
        await page.goto(party.origin)
        return page
      }
      const formOf = (page: Page): FrameLocator => page.frameLocator('iframe')
      const fill = async (page: Page, fields: Readonly<Record<string, string>>) => {
        for (const [name, value] of Object.entries(fields))
          await formOf(page).locator(`[name=${name}]`).fill(value)
      }
      const payButton = (page: Page) => formOf(page).locator('button[type=submit]')
      const eventsOf = async (page: Page): Promise<JsonObject[]> =>
        listOf(JSON.parse(await page.evaluate('JSON.stringify(seen)'))).map(objectOf)
      /** Waits within the page: its policy lets the driver evaluate no text later. */
      const until = async (page: Page, condition: string) =>
        await page.evaluate(`new Promise((done) => {
          const look = () => (${condition} ? done() : requestAnimationFrame(look))
          look()
        })`)
      const seen = async (page: Page, type: string): Promise<JsonObject> => {
        await until(page, `seen.some(({ type }) => type === '${type}')`)
        return (await eventsOf(page)).findLast((event) => event.type === type) ?? {}
      }
      const count = async (): Promise<number> => {
        const { values } = await shop.ok('GET', '/transactions?type=payment&status=processed')
        return listOf(values).length
      }
      /** Lets the service take what is posted, and loses its answer, as often as said. */
      const losing = async (page: Page, times: number) => {
        let left = times
        await page.route('**/components/checkout?*', async (route: Route) => {
          if (route.request().method() !== 'POST' || left-- <= 0) return await route.continue()
          await route.fetch({ maxRedirects: 0 })
          await route.abort()
        })
      }
      const frame = async (page: Page) => {
        const found = await (await page.waitForSelector('iframe')).contentFrame()
        if (!found) throw new Error('The checkout has no frame')
        return found
      }

      it('pays in its container after a decline, and hands the id to the server of the shop', async () => {
        options += `, form: '#order'`
        const page = await visit()
        await seen(page, 'loaded')
        await payButton(page).waitFor()
        expect(await findingsOf(await frame(page))).to.deep.equal([])
        expect(await payButton(page).innerText()).to.equal('Pay 12.50 USD')
        await fill(page, { ...CARD, card_number: DECLINING })
        await payButton(page).click()
        const declined = await seen(page, 'declined')
        expect(declined).to.include({ status_code: 'insufficient_bal', payments_attempted: 1 })
        expect(declined.message).to.include('The balance is not sufficient')
        expect(await findingsOf(await frame(page))).to.deep.equal([])
        await fill(page, CARD)
        await Promise.all([page.waitForURL('**/done'), payButton(page).click()])
        const id = new URLSearchParams(party.posted[0]).get('pl_transaction_id')
        const payment = await shop.ok('GET', `/transactions/${id}`)
        expect(payment).to.include({ status: 'processed', amount: 12.5, processing_id: shop.account })
        expect(party.posted[0]).to.equal(`pl_transaction_id=${id}`)
      })

      it('pays over the page, which the dialog covers, and closes', async () => {
        options = `amount: 12.5`
        const page = await visit()
        await seen(page, 'loaded')
        expect(await page.evaluate(`document.querySelector('dialog').matches(':modal')`)).to.equal(true)
        expect(await findingsOf(page)).to.deep.equal([])
        await fill(page, CARD)
        await payButton(page).click()
        const { transaction_id: id } = await seen(page, 'success')
        await seen(page, 'closed')
        expect((await eventsOf(page)).map(({ type }) => type)).to.deep.equal([
          'loaded',
          'processed',
          'success',
          'closed',
        ])
        expect(await page.locator('dialog').count()).to.equal(0)
        expect(await shop.ok('GET', `/transactions/${id}`)).to.include({ status: 'processed' })
      })

      it('is closed by Escape, inside of the frame too, and by its button', async () => {
        options = `amount: 12.5`
        const before = await count()
        for (const leave of [
          async (page: Page) => await page.keyboard.press('Escape'),
          async (page: Page) => await formOf(page).locator('[name=card_number]').press('Escape'),
          async (page: Page) => await formOf(page).locator('[data-close]').click(),
        ]) {
          const page = await visit()
          await seen(page, 'loaded')
          await leave(page)
          await seen(page, 'closed')
          expect(await page.locator('dialog').count()).to.equal(0)
        }
        expect(await count()).to.equal(before)
      })

      it('has a size in the page although its policy allows no style', async () => {
        const page = await visit()
        await payButton(page).waitFor()
        await until(page, `document.querySelector('iframe').offsetHeight > 600`)
        expect(
          await page.evaluate(
            `document.querySelector('iframe').offsetWidth === document.getElementById('place').offsetWidth`,
          ),
        ).to.equal(true)
      })

      it('shows wrong fields beside them, and pays nothing until they are right', async () => {
        const before = await count()
        const page = await visit()
        await fill(page, { ...CARD, card_number: '4242 4242 4242 4243', card_code: '' })
        await payButton(page).click()
        await formOf(page).locator('#field-card_number-error').waitFor()
        expect(await formOf(page).locator('#field-card_code-error').innerText()).to.equal('Fill this in')
        expect(await findingsOf(await frame(page))).to.deep.equal([])
        expect(await count()).to.equal(before)
        await fill(page, CARD)
        await payButton(page).click()
        await seen(page, 'processed')
        expect(await count()).to.equal(before + 1)
      })

      it('speaks the language of the browser', async () => {
        for (const [locale, text] of [
          ['fr-FR', 'Payer 12.50 USD'],
          ['es-MX', 'Pagar 12.50 USD'],
        ] as const)
          expect(await payButton(await visit({ locale })).innerText(), locale).to.equal(text)
      })

      it('only authorizes where the key says so', async () => {
        key = await clientKey({ status: 'authorized', amount: 8, order_number: 'A-1' })
        options = `container: 'place'`
        const page = await visit()
        await fill(page, CARD)
        await payButton(page).click()
        const { transaction_id: id } = await seen(page, 'authorized')
        await seen(page, 'success')
        expect(await shop.ok('GET', `/transactions/${id}`)).to.include({
          status: 'authorized',
          amount: 8,
          order_number: 'A-1',
        })
      })

      it('takes only the methods that the key accepts, and stores the method if the key says so', async () => {
        const { id: customer } = await shop.ok('POST', '/customers', { name: 'Bo', email: 'bo@example.com' })
        key = await clientKey({
          bank_account_payments: false,
          keep_active: true,
          customer_id: customer ?? null,
        })
        const page = await visit()
        await payButton(page).waitFor()
        expect(await formOf(page).locator('nav').count()).to.equal(0)
        expect(await formOf(page).locator('footer').innerText()).to.include('stores the card')
        await fill(page, CARD)
        await payButton(page).click()
        await seen(page, 'processed')
        const { values } = await shop.ok('GET', `/payment_methods?account_id=${customer}`)
        expect(listOf(values).length).to.equal(1)
      })

      it('pays once when the button is clicked twice', async () => {
        const before = await count()
        const page = await visit()
        await fill(page, CARD)
        await payButton(page).dblclick()
        await seen(page, 'processed')
        expect(await count()).to.equal(before + 1)
      })

      it('pays once when the answer is lost and the form is sent again', async () => {
        const before = await count()
        const page = await visit()
        await losing(page, 2)
        await fill(page, CARD)
        for (let lost = 1; lost <= 2; lost++) {
          await payButton(page).click()
          await formOf(page).locator('[role=alert]').waitFor()
          expect(await formOf(page).locator('[role=alert]').innerText()).to.include('charged at most once')
        }
        await payButton(page).click()
        await seen(page, 'processed')
        expect(await count()).to.equal(before + 1)
      })

      it('pays once when the answer is lost and the page is loaded again', async () => {
        const before = await count()
        const page = await visit()
        await losing(page, 1)
        await fill(page, CARD)
        await payButton(page).click()
        await formOf(page).locator('[role=alert]').waitFor()
        await page.reload()
        await fill(page, CARD)
        await payButton(page).click()
        await seen(page, 'processed')
        expect(await count()).to.equal(before + 1)
      })

      it('tells the page of an amount that the key does not allow', async () => {
        key = await clientKey({ amount: 20 })
        const { message } = await seen(await visit(), 'error')
        expect(message).to.include('amount')
        key = 'test_client_key_unknown'
        expect((await seen(await visit(), 'error')).message).to.include('unknown')
      })

      it('shows nothing to a page of another origin, and pays nothing there', async () => {
        key = await clientKey({}, { origins: ['https://shop.example'] })
        const page = await visit()
        const query = new URLSearchParams({
          key,
          amount: '1.00',
          origin: 'https://shop.example',
          nonce: '0123456789abcdef',
        })
        // The address of the shop is a lie: the browser compares the page around the frame.
        const refused = page.waitForEvent('console', (message) =>
          /frame-ancestors|Refused|refused/.test(message.text()),
        )
        await page.evaluate(
          `document.querySelector('iframe').src = '${shop.service.address}/components/checkout?${query}'`,
        )
        await refused
        expect(await eventsOf(page)).to.deep.equal([])
        const alone = await fetch(`${shop.service.address}/components/checkout?${query}`, {
          headers: { 'sec-fetch-dest': 'document' },
        })
        expect(alone.status).to.equal(403)
        complaints.length = 0
      })

      it('gives the page no digit of a number, and ignores messages of the page itself', async () => {
        const page = await visit()
        await seen(page, 'loaded')
        await page.evaluate(`for (const message of messages.slice(0, 1))
          postMessage({ ...message, event: 'processed', transaction_id: 'txn_forged' }, '*')`)
        await fill(page, CARD)
        await payButton(page).click()
        const { transaction_id: id } = await seen(page, 'processed')
        expect(id).to.not.equal('txn_forged')
        const said: string = await page.evaluate('JSON.stringify([seen, messages])')
        expect(said).to.not.match(/4242|10001|Ada/)
      })

      it('breaks no policy of the page or of its own', () => {
        expect(complaints).to.deep.equal([])
      })
    })
  })
}
