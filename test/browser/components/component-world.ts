import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { openLog } from '../../../src/http/api/log.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import type { Databases } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { closePages, openBrowser, patient } from '../chromium.js'
import { type ShopPage, type ShopSite, shopSite } from './shop-site.js'

/** An approved card. Tests check that the shop cannot see its digits. */
export const CARD = { number: '4242424242424242', expiry: '1239', code: '987' }
export const DECLINED = { ...CARD, number: '4111111111119903' }

type CardTyped = typeof CARD

/** A service, a shop on another site, and a browser. */
export interface ComponentWorld {
  readonly service: HttpService
  readonly site: ShopSite
  readonly browser: Browser
  /** Secret key of the shop's server. */
  readonly key: string
  readonly account: string
  /** Script errors, console errors, and violations of content security policies. */
  readonly complaints: string[]
  /** Addresses of all requests by pages and frames. */
  readonly addresses: string[]
  /** Creates a client key with an intent, for pages of the shop; returns its id. */
  clientKey(intent: JsonObject, more?: JsonObject): Promise<string>
  /** Opens the shop's page with the given content, in a separate browser context. */
  visit(page: Partial<ShopPage>, options?: BrowserContextOptions): Promise<Page>
  /** Payments with the given amount. */
  payments(amount: number): Promise<JsonObject[]>
}

/**
 * Starts the service, the shop and the browser; they are closed when the suite ends. With `hasFieldsUrl`,
 * secure inputs are served from a separate origin. `log` receives the log of the service.
 */
export async function componentWorld(
  open: Databases,
  { hasFieldsUrl = false, log }: { hasFieldsUrl?: boolean; log?: { write(line: string): void } } = {},
): Promise<ComponentWorld> {
  const place = await open.migrated()
  const apart = hasFieldsUrl ? await httpService(place) : undefined
  if (apart) open.atEnd(() => apart.stop())
  const service = await httpService(
    place,
    {},
    { ...(log && { logger: openLog('trace', log) }), ...(apart && { fieldsUrl: apart.address }) },
  )
  open.atEnd(() => service.stop())
  const key = await service.key({ manage: true })
  const account = idOf((await service.ask(key, 'POST', '/processing_accounts', processingAccount())).body)
  const site = await shopSite()
  open.atEnd(() => site.close())
  const browser = await openBrowser()
  open.atEnd(() => closePages(browser))
  const complaints: string[] = []
  const addresses: string[] = []
  const origin = new URL(service.address).origin
  const usual: ShopPage = {
    body: '',
    script: '',
    first: '',
    head: `<script src="${origin}/Payload.js"></script>`,
    policy: `default-src 'none'; script-src 'self' ${origin}; frame-src ${new URL(apart?.address ?? origin).origin}; img-src data:; form-action 'self'`,
  }
  return {
    service,
    site,
    browser,
    key,
    account,
    complaints,
    addresses,
    async clientKey(intent, more = {}) {
      const body = { type: 'client', intent, origins: [site.origin], ...more }
      const made = await service.ask(key, 'POST', '/access_tokens', body)
      if (made.status !== 200) throw new Error(JSON.stringify(made.body))
      return idOf(made.body)
    },
    async visit(page, options = {}) {
      site.page = { ...usual, ...page }
      const context = patient(await browser.newContext(options))
      context.on('weberror', (error) => complaints.push(error.error().message))
      context.on('console', (message) => {
        if (message.type() === 'error' && !message.text().includes('status of 4'))
          complaints.push(message.text())
      })
      context.on('request', (request) => addresses.push(request.url()))
      const opened = await context.newPage()
      await opened.goto(site.origin)
      return opened
    },
    async payments(amount) {
      const { body } = await service.ask(key, 'GET', `/transactions?amount=${amount}`)
      return listOf(body.values).map(objectOf)
    },
  }
}

/** Page script that shows a component of `payload-react`. */
export function showing(element: string): string {
  return `const { h, show } = shop; show(${element})`
}

/** Waits for an event of this kind, and returns the newest. */
export async function eventOf(page: Page, type: string): Promise<JsonObject> {
  return await eventWhere(page, `({ type }) => type === '${type}'`)
}

/** Waits for an event that passes a test, given as JavaScript for the page; returns the newest such event. */
export async function eventWhere(page: Page, test: string): Promise<JsonObject> {
  return objectOf(JSON.parse(String(await page.evaluate(`until(${test})`))))
}

/** Kinds of all events so far, except those of single inputs. */
export async function kindsOf(page: Page): Promise<string[]> {
  const written = await page.evaluate('JSON.stringify(events.map(({ type }) => type))')
  const inputs = ['focus', 'blur', 'change', 'valid', 'invalid']
  return listOf(JSON.parse(String(written)))
    .map(String)
    .filter((type) => !inputs.includes(type))
}

/** Locates one text box of a secure input by its `autocomplete` value. */
export function box(page: Page, input: string, autofill?: string): Locator {
  const frame = page.locator(`[pl-input="${input}"] iframe`).contentFrame()
  return frame.locator(autofill === undefined ? 'input:visible' : `input[autocomplete="${autofill}"]`)
}

/** Types a card into one secure input. */
export async function typeCard(page: Page, { number, expiry, code }: CardTyped = CARD): Promise<void> {
  await box(page, 'card', 'cc-number').pressSequentially(number)
  await box(page, 'card', 'cc-exp').pressSequentially(expiry)
  await box(page, 'card', 'cc-csc').pressSequentially(code)
}

/**
 * Parts of a card number or code that a text contains. A part of the number is eight of its digits in a row,
 * with up to three separators between two. Empty if there are none.
 */
export function digitsIn(text: string, { number, code }: CardTyped = CARD): string[] {
  const parts = Array.from({ length: number.length - 7 }, (_, start) => number.slice(start, start + 8))
  const found = parts.filter((part) => new RegExp([...part].join('[ ,._-]{0,3}')).test(text))
  return new RegExp(`(?<![0-9A-Za-z])${code}(?![0-9A-Za-z])`).test(text) ? [...found, code] : found
}
