import { expect } from 'chai'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { openShop, type Shop } from '../http/interface/shop.js'
import { idOf, listOf, objectOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { findingsOf } from './accessibility.js'
import { chromium, launch, patient } from './chromium.js'
import { type FieldsPage, fieldsPage } from './fields-page.js'

const CARD = { card_number: '4242 4242 4242 4242', expiry: '04/39', card_code: '123' }
const DECLINED = '4111 1111 1111 9903'

const CARD_FORM = `<form pl-form="payment" method="post" action="/done">
<label>Amount <input pl-input="amount" value="10.00"></label>
<label for="card">Card</label><div id="card" pl-input="card"></div>
<button>Pay</button></form>`

const SEPARATE = `<form pl-form="payment" method="post" action="/done">
<label>Name <input pl-input="account_holder" value="Bo Lind"></label>
<label>Amount <input pl-input="amount" value="10.00"></label>
<label>Postal code <input pl-input="billing_address[postal_code]" value="11111"></label>
<label for="number">Card number</label><div id="number" pl-input="card_number" placeholder="0000"></div>
<label for="expiry">Expires</label><div id="expiry" pl-input="expiry"></div>
<label for="code">Code</label><div id="code" pl-input="card_code"></div>
<button>Pay</button></form>`

const BANK = `<form pl-form="payment_method" method="post" action="/done">
<label>Name <input pl-input="account_holder" value="Bo Lind"></label>
<label>Type <select pl-input="account_type"><option>checking<option>savings</select></label>
<label for="routing">Routing number</label><div id="routing" pl-input="routing_number"></div>
<label for="account">Account number</label><div id="account" pl-input="account_number"></div>
<button>Save</button></form>`

/** A page of a shop with secure fields, on another site than the service. */
if (chromium !== undefined) {
  describe('secure fields in a browser', () => {
    onSqlite((open) => {
      let shop: Shop
      let browser: Browser
      let party: FieldsPage
      let key: string
      let body: string
      let options: string
      const complaints: string[] = []

      before(async () => {
        shop = await openShop(open)
        party = await fieldsPage(() => ({
          script: `${shop.service.address}/Payload.js`,
          body,
          code: `window.seen = []
Payload(${JSON.stringify(key)})
window.form = new Payload.Form({ form: document.querySelector('form'), ${options} })
for (const event of ['processing', 'processed', 'authorized', 'declined', 'created', 'success', 'error', 'invalid', 'valid', 'focus', 'blur', 'change'])
  form.on(event, ({ target, ...told }) => seen.push({ ...told, on: target?.getAttribute('pl-input') ?? undefined }))`,
        }))
        browser = await launch()
      })
      after(async () => {
        await browser.close()
        await party.close()
      })
      beforeEach(async () => {
        key = await clientKey({})
        body = CARD_FORM
        options = 'preventDefaultOnSubmit: true'
        party.posted.length = 0
      })

      const clientKey = async (more: JsonObject) =>
        idOf(
          await shop.ok('POST', '/access_tokens', {
            type: 'client',
            processing_id: shop.account,
            intent: { payment_form: {} },
            origins: [party.origin],
            ...more,
          }),
        )
      const visit = async (context?: BrowserContext): Promise<Page> => {
        const page = await (context ?? patient(await browser.newContext())).newPage()
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          // A refusal has a status of its own; what Chromium does not know of autofill is a warning.
          if (message.type() === 'error' && !message.text().includes('status of 4'))
            complaints.push(message.text())
        })
        await page.goto(party.origin)
        return page
      }
      const frameOf = async (page: Page, field: string): Promise<Frame> => {
        const frame = await (await page.waitForSelector(`[pl-input=${field}] iframe`)).contentFrame()
        if (!frame) throw new Error(`${field} has no frame`)
        await frame.waitForSelector('input')
        return frame
      }
      const fillCard = async (page: Page, more: Partial<typeof CARD> = {}) => {
        const frame = await frameOf(page, 'card')
        for (const [name, value] of Object.entries({ ...CARD, ...more }))
          await frame.fill(`[name=${name}]`, value)
      }
      const seen = async (page: Page, type: string): Promise<JsonObject> => {
        await page.waitForFunction(`seen.some(({ type }) => type === '${type}')`)
        return objectOf(
          JSON.parse(await page.evaluate(`JSON.stringify(seen.findLast(({ type }) => type === '${type}'))`)),
        )
      }
      const countOf = async (page: Page, type: string): Promise<number> =>
        await page.evaluate(`seen.filter(({ type }) => type === '${type}').length`)
      const payments = async (): Promise<JsonObject[]> => {
        const { values } = await shop.ok('GET', '/transactions?type=payment')
        return listOf(values).map(objectOf)
      }

      it('pays with one frame for the whole card, and hands the id to the server of the shop', async () => {
        const before = (await payments()).length
        options = ''
        const page = await visit()
        await fillCard(page)
        await Promise.all([page.waitForURL('**/done'), page.click('button')])
        const [posted = ''] = party.posted
        const id = new URLSearchParams(posted).get('pl_transaction_id')
        const payment = await shop.ok('GET', `/transactions/${id}`)
        expect(payment).to.include({ type: 'payment', status: 'processed', amount: 10 })
        expect(posted).to.not.match(/4242|123/)
        expect((await payments()).length).to.equal(before + 1)
      })

      it('breaks no policy of the page or of its own', () => {
        expect(complaints).to.deep.equal([])
      })
    })
  })
}
