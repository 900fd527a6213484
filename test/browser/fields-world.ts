import type { Browser, Frame, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { openShop, type Shop } from '../http/interface/shop.js'
import { idOf, listOf, objectOf } from '../support/core.js'
import type { Databases } from '../support/databases.js'
import { launch, patient } from './chromium.js'
import { fieldsPage } from './fields-page.js'

export const CARD = { card_number: '4242 4242 4242 4242', expiry: '04/39', card_code: '123' }
export const DECLINED = '4111 1111 1111 9903'

export const CARD_FORM = `<form pl-form="payment" method="post" action="/done">
<label>Amount <input pl-input="amount" value="10.00"></label>
<label for="card">Card</label><div id="card" pl-input="card"></div>
<button>Pay</button></form>`

/** What a test may change of the shop's page before it visits it. */
export interface ShownForm {
  key: string
  body: string
  /** Options of the form, as in `autosubmit: false`. */
  options: string
  /** Code that runs before that of the shop, as of an attacker. */
  code: string
}

/** A shop, its page, and a browser that visits it. */
export interface FieldsWorld {
  readonly shop: Shop
  readonly browser: Browser
  readonly origin: string
  readonly posted: string[]
  /** What pages complained about, besides refusals of the service. */
  readonly complaints: string[]
  readonly form: ShownForm
  clientKey(more?: JsonObject): Promise<string>
  /** Restores the form, with a new client key. */
  renew(): Promise<void>
  visit(): Promise<Page>
  payments(): Promise<JsonObject[]>
  close(): Promise<void>
}

const EVENTS = [
  'processing',
  'processed',
  'authorized',
  'declined',
  'created',
  'success',
  'error',
  'invalid',
  'valid',
  'focus',
  'blur',
  'change',
]

export async function fieldsWorld(open: Databases): Promise<FieldsWorld> {
  const shop = await openShop(open)
  const form: ShownForm = { key: '', body: CARD_FORM, options: '', code: '' }
  const party = await fieldsPage(() => ({
    script: `${shop.service.address}/Payload.js`,
    body: form.body,
    code: `window.seen = []
${form.code}
Payload(${JSON.stringify(form.key)})
window.form = new Payload.Form({ form: document.querySelector('form'), ${form.options} })
for (const event of ${JSON.stringify(EVENTS)})
  form.on(event, ({ target, ...told }) => seen.push({ ...told, on: target?.getAttribute('pl-input') ?? undefined }))`,
  }))
  const browser = await launch()
  const complaints: string[] = []
  const clientKey = async (more: JsonObject = {}) =>
    idOf(
      await shop.ok('POST', '/access_tokens', {
        type: 'client',
        processing_id: shop.account,
        intent: { payment_form: {} },
        origins: [party.origin],
        ...more,
      }),
    )
  return {
    shop,
    browser,
    origin: party.origin,
    posted: party.posted,
    complaints,
    form,
    clientKey,
    async renew() {
      const options = 'preventDefaultOnSubmit: true'
      Object.assign(form, { key: await clientKey(), body: CARD_FORM, options, code: '' })
      party.posted.length = 0
    },
    async visit() {
      const page = await patient(await browser.newContext()).newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        // What is refused or lost on purpose is no complaint.
        if (message.type() === 'error' && !/status of 4|ERR_FAILED/.test(message.text()))
          complaints.push(message.text())
      })
      await page.goto(party.origin)
      return page
    },
    async payments() {
      const { values } = await shop.ok('GET', '/transactions?type=payment')
      return listOf(values).map(objectOf)
    },
    async close() {
      await browser.close()
      await party.close()
    },
  }
}

/** The frame of a secure field, once it has its input. */
export async function frameOf(page: Page, field: string): Promise<Frame> {
  const frame = await (await page.waitForSelector(`[pl-input=${field}] iframe`)).contentFrame()
  if (!frame) throw new Error(`${field} has no frame`)
  await frame.waitForSelector('input')
  return frame
}

/** Fills the frame that has the whole card. */
export async function fillCard(page: Page, more: Partial<typeof CARD> = {}): Promise<void> {
  const frame = await frameOf(page, 'card')
  for (const [name, value] of Object.entries({ ...CARD, ...more })) await frame.fill(`[name=${name}]`, value)
}

/** The last event of a type, once there is one. The page's policy forbids what would evaluate a string there. */
export async function seen(page: Page, type: string): Promise<JsonObject> {
  const text: string = await page.evaluate(`(async () => {
    for (;;) {
      const found = seen.findLast(({ type }) => type === '${type}')
      if (found) return JSON.stringify(found)
      await new Promise(requestAnimationFrame)
    }
  })()`)
  return objectOf(JSON.parse(text))
}

/** How many events of a type there were. */
export async function countOf(page: Page, type: string): Promise<number> {
  return await page.evaluate(`seen.filter(({ type }) => type === '${type}').length`)
}
