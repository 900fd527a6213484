import type { Page } from 'playwright-core'
import { type Clock, systemClock } from '../../../src/platform/clock.js'
import type { JsonObject } from '../../../src/schema/json.js'
import {
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { idOf } from '../../support/core.js'
import type { Databases } from '../../support/databases.js'
import { patient } from '../chromium.js'
import { showing } from '../components/component-world.js'
import { type ShopPage, type ShopSite, shopSite } from '../components/shop-site.js'
import { openRailWorld, type RailWorld } from './rail-world.js'

export const VISA = '4242424242424242'
/** Number of a test card that is declined for insufficient funds. */
export const POOR = '4000000000009995'
/** Number of a test card whose payer must authenticate with the bank. */
export const WATCHED = '4000002760003184'

/** A shop on another site than the service, whose payments go to Stripe. */
export interface StripeShop {
  readonly stripe: StripeServer
  readonly world: RailWorld
  readonly site: ShopSite
  clientKey(intent: JsonObject): Promise<string>
  /** Opens the shop's page with the given content, in a separate browser context. */
  visit(page: Partial<ShopPage>): Promise<Page>
  /** Opens a page with a form of `payload-react`: `PaymentForm` for an amount. */
  paymentPage(amount: number, inputs: string, props?: string): Promise<Page>
  methodPage(customer: string, inputs: string): Promise<Page>
  close(): Promise<void>
}

/** JavaScript of inputs of `payload-react`: one for the whole card, or one for each part. */
export const ONE_INPUT = 'h(shop.Card),'
export const SPLIT_INPUTS = 'h(shop.CardNumber), h(shop.Expiry), h(shop.CardCode),'

/**
 * Opens the shop. With `hasScript`, pages load Stripe's fields; otherwise numbers are typed into fields of the
 * service.
 */
export async function openStripeShop(
  open: Databases,
  { hasScript = true, clock = systemClock }: { hasScript?: boolean; clock?: Clock } = {},
): Promise<StripeShop> {
  const stripe = await openStripeServer(() => clock.now())
  const credentials = { secret_key: SECRET_KEY, ...(hasScript && { publishable_key: PUBLISHABLE_KEY }) }
  const gateway = { kind: 'stripe', base_url: stripe.address, card_entry: !hasScript, credentials }
  const world = await openRailWorld(open, gateway, clock)
  const site = await shopSite()
  const { origin } = new URL(world.service.address)
  const policy = `default-src 'none'; script-src 'self' ${origin} ${stripe.address}; frame-src ${origin} ${stripe.address}; connect-src ${stripe.address}; img-src data:; form-action 'self'`
  const head = `<script src="${origin}/Payload.js"></script>`

  const clientKey = async (intent: JsonObject) =>
    idOf(await world.ask('POST', '/access_tokens', { type: 'client', origins: [site.origin], intent }))
  const visit = async (page: Partial<ShopPage>) => {
    site.page = { body: '', first: '', script: '', head, policy, ...page }
    const opened = world.watch(patient(await (await world.browser.newContext()).newPage()))
    await opened.goto(site.origin)
    return opened
  }
  const common = 'autoSubmit: false, ...noting(...FORM)'
  return {
    stripe,
    world,
    site,
    clientKey,
    visit,
    async paymentPage(amount, inputs, props = '') {
      const key = await clientKey({ payment_form: { payment: { amount, processing_id: world.account } } })
      return await visit({
        script:
          showing(`h(shop.PaymentForm, { clientToken: '${key}', action: '/paid', method: 'post', ${common}, ${props} },
          h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '${amount.toFixed(2)}' }), ${inputs}
          h('button', { type: 'submit' }, 'Send'))`),
      })
    },
    async methodPage(customer, inputs) {
      const method = { account_id: customer, default_payment_method: true }
      const key = await clientKey({ payment_method_form: { payment_method: method } })
      return await visit({
        script: showing(`h(shop.PaymentMethodForm, { clientToken: '${key}', ${common} }, ${inputs}
          h('button', { type: 'submit' }, 'Send'))`),
      })
    },
    async close() {
      await site.close()
      await world.close()
      await stripe.close()
    },
  }
}

export const SEND = 'button:has-text("Send")'

/** Types a card into Stripe's fields, whether they are separate or one. */
export async function typeIntoStripe(page: Page, number = VISA): Promise<void> {
  await page.locator('iframe[name^=__privateStripeFrame]').first().waitFor()
  const isWhole = (await page.locator('iframe[name$="-card"]').count()) > 0
  for (const [name, value] of [
    ['cardNumber', number],
    ['cardExpiry', '1239'],
    ['cardCvc', '123'],
  ] as const)
    await page
      .frameLocator(`iframe[name$="-${isWhole ? 'card' : name}"]`)
      .locator(`input[name=${name}]`)
      .fill(value)
}

/** Frame of the bank's page, in the overlay over the shop's page. */
export function bankOf(page: Page) {
  return page.frameLocator('div[data-payctl] iframe').frameLocator('iframe[title="Your bank"]')
}
