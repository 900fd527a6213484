import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { BACKGROUND_JOBS } from '../../../src/domain/background-jobs.js'
import type { JsonObject } from '../../../src/schema/json.js'
import {
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases, onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'
import { POOR, typeIntoStripe, VISA, WATCHED } from './stripe-shop.js'

/** A card number that no other test uses. */
const OWN = '4242718390564729'
/** Number of a test card whose payer must authenticate before it is saved. */
const WATCHED_ONCE = '4000002500003155'
const HALF_AN_HOUR = 30 * 60_000

/** Types a card into Stripe's fields of a pay page, and sends the form. */
async function send(page: Page, number: string, isTwice = false): Promise<void> {
  await typeIntoStripe(page, number)
  await page.fill('[name=account_holder]', 'Ada Park')
  await page.fill('[name=postal_code]', '10001')
  if (isTwice) await page.dblclick('main form button')
  else await page.click('main form button')
}

if (chromium !== undefined) {
  describe('payers at Stripe who must authenticate, in a browser @rest', () => {
    onSqlite((open) => {
      let stripe: StripeServer
      let world: RailWorld
      let now = Date.UTC(2030, 0, 15, 12)

      before(async () => {
        stripe = await openStripeServer(() => now)
        const credentials = { secret_key: SECRET_KEY, publishable_key: PUBLISHABLE_KEY }
        const gateway = { kind: 'stripe', base_url: stripe.address, credentials }
        // Left out, because it would ask the gateway about payments beside the test.
        const jobs = BACKGROUND_JOBS.filter(({ name }) => name !== 'unknown outcomes')
        world = await openRailWorld(open, gateway, { now: () => now }, { jobs })
      })
      after(async () => {
        await world.close()
        await stripe.close()
      })

      /** Pays a new payment link up to the bank's page, which is shown over the pay page. */
      const begin = async (more: JsonObject = {}, isTwice = false) => {
        now += 1000
        const link = await world.link({ type: 'one_time', ...more })
        const page = await world.visit(link)
        await send(page, WATCHED, isTwice)
        await page.waitForURL('**/authenticate/**')
        await bank(page).getByText('Complete').waitFor()
        const intent = stripe.books.intents.at(-1)
        if (!intent) throw new Error('Stripe has no payment')
        return { link, page, intent }
      }
      const bank = (page: Page) => page.frameLocator('iframe[title="Your bank"]')
      const paymentsOf = async (link: string) =>
        valuesOf(await world.ask('GET', `/transactions?payment_link_id=${link}&order_by=id`)).map(
          ({ status, status_code }) => `${status} ${status_code}`,
        )
      const callsAbout = (id: string) =>
        stripe.requests.filter(({ call }) => call.includes(id)).map(({ call }) => call)

      it('pay once after authentication, even with a double click and after going back', async () => {
        const { link, page, intent } = await begin({}, true)
        const { length } = stripe.books.intents
        await bank(page).getByText('Complete').click()
        await page.waitForURL('**/receipt/**')
        await page.goBack()
        await page.reload()
        expect(await paymentsOf(link)).to.deep.equal(['processed approved'])
        expect([intent.status, stripe.books.intents.length]).to.deep.equal(['succeeded', length])
      })

      it('do not pay if they refuse to authenticate, and can pay with another card', async () => {
        const { link, page, intent } = await begin()
        await bank(page).getByText('Fail').click()
        await page.waitForURL('**/paid/**')
        expect([await paymentsOf(link), intent.status]).to.deep.equal([
          ['declined authentication_required'],
          'canceled',
        ])
        await page.click('main a.button')
        await send(page, VISA)
        await page.waitForURL('**/receipt/**')
        expect(await paymentsOf(link)).to.deep.equal([
          'declined authentication_required',
          'processed approved',
        ])
      })

      it('do not pay if they leave: after half an hour, the service cancels the payment at Stripe and then declines it', async () => {
        const { link, page, intent } = await begin()
        await page.close()
        now += HALF_AN_HOUR - 2000
        const early = await world.visit(link)
        expect(await early.innerText('main')).to.include('A payment is in progress')
        expect(intent.status).to.equal('requires_action')
        now += 2000
        stripe.trouble(`POST /v1/payment_intents/${intent.id}/cancel`, 'error_before')
        const { next_action: action } = await world.ask(
          'GET',
          `/transactions/${intent.metadata['reference']}`,
        )
        const address = new URL(String(objectOf(action).url))
        const again = await world.visit(link)
        await again.goto(`${world.service.address}${address.pathname}${address.search}`)
        expect(await paymentsOf(link)).to.deep.equal(['processing authentication_required'])
        await again.reload()
        await again.waitForURL('**/paid/**')
        expect([await paymentsOf(link), intent.status]).to.deep.equal([
          ['declined authentication_required'],
          'canceled',
        ])
        expect(callsAbout(intent.id).filter((call) => call.endsWith('/cancel'))).to.have.length(2)
      })

      it('have paid if the bank confirmed before the service cancels after half an hour', async () => {
        const { link, page, intent } = await begin()
        await page.close()
        stripe.books.authenticate(intent.id, true)
        now += HALF_AN_HOUR + 1000
        const { next_action: action } = await world.ask(
          'GET',
          `/transactions/${intent.metadata['reference']}`,
        )
        const address = new URL(String(objectOf(action).url))
        const again = await world.visit(link)
        await again.goto(`${world.service.address}${address.pathname}${address.search}`)
        await again.waitForURL('**/receipt/**')
        expect([await paymentsOf(link), intent.status]).to.deep.equal([['processed approved'], 'succeeded'])
      })

      it("pay a merchant on Stripe Connect in that merchant's account", async () => {
        const { account } = world
        await world.ask('PUT', '/admin/gateway_routes', {
          default: 'up',
          processing_id: account,
          merchant: 'acct_theirs',
        })
        const { link, page, intent } = await begin()
        await bank(page).getByText('Complete').click()
        await page.waitForURL('**/receipt/**')
        expect(await paymentsOf(link)).to.deep.equal(['processed approved'])
        expect(stripe.accounts.get(intent.id)).to.equal('acct_theirs')
        const made = stripe.requests.filter(({ call }) => call === 'POST /v1/payment_methods').at(-1)
        expect([made?.headers.authorization, made?.headers['stripe-account']]).to.deep.equal([
          `Bearer ${PUBLISHABLE_KEY}`,
          'acct_theirs',
        ])
        await world.ask('PUT', '/admin/gateway_routes', { default: null, processing_id: account })
      })

      it('save and replace their card, and keep the old one if they leave, refuse or are declined', async () => {
        const customer = idOf(await world.ask('POST', '/customers', { name: 'Ada Park' }))
        const link = async () =>
          idOf(
            await world.ask('POST', '/payment_links', {
              type: 'method',
              customer_id: customer,
              processing_id: world.account,
            }),
          )
        const defaults = async () =>
          valuesOf(
            await world.ask('GET', `/payment_methods?account_id=${customer}&default_payment_method=true`),
          ).map(({ description }) => description)
        const made = () => stripe.books.intents.length
        const before = made()
        const first = await world.visit(await link())
        await send(first, VISA, true)
        await first.waitForSelector('text=This is saved')
        expect(await defaults()).to.deep.equal(['Visa ending in 4242'])

        const left = await world.visit(await link())
        await typeIntoStripe(left, WATCHED_ONCE)
        await left.close()
        const second = await world.visit(await link())
        await send(second, '4000000000000002')
        await second.waitForSelector('[role=alert]')
        await send(second, WATCHED_ONCE)
        await bank(second).getByText('Fail').click()
        await second.waitForURL('**/pay/**')
        expect(await defaults()).to.deep.equal(['Visa ending in 4242'])
        await send(second, WATCHED_ONCE)
        await bank(second).getByText('Complete').click()
        await second.waitForSelector('text=This is saved')
        expect(await defaults()).to.deep.equal(['Visa ending in 3155'])
        expect(made()).to.equal(before)
        const payment = { type: 'payment', amount: 7, customer_id: customer, processing_id: world.account }
        expect(await world.ask('POST', '/transactions', payment)).to.include({ status: 'processed' })
        expect(made()).to.equal(before + 1)
      })

      it('see pages that violate no content security policy and send no card number', async () => {
        const expected = /status of 40[0-4]|ERR_BLOCKED_BY_CLIENT/
        expect(world.complaints.filter((text) => !expected.test(text))).to.deep.equal([])
        const texts = await world.heard()
        for (const number of [VISA, WATCHED, WATCHED_ONCE])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
      })
    })
  })

  describe('a number that a payer types into the fields of Stripe', () => {
    onDatabases((open) => {
      it('appears in no request to the service, no log and no database file', async () => {
        const stripe = await openStripeServer(() => Date.now())
        const credentials = { secret_key: SECRET_KEY, publishable_key: PUBLISHABLE_KEY }
        const world = await openRailWorld(open, { kind: 'stripe', base_url: stripe.address, credentials })
        const page = await world.visit(await world.link())
        await send(page, POOR)
        await page.waitForSelector('[role=alert]')
        await send(page, OWN)
        await page.waitForURL('**/receipt/**')
        expect(await page.innerText('main')).to.include('ending in 4729')
        // The search does find stored digits: the last four are stored.
        expect(await world.filesWith('4729')).not.to.deep.equal([])
        for (const number of [OWN, POOR]) expect(await world.filesWith(number)).to.deep.equal([])
        expect(
          (await world.heard()).filter((text) => hasNumber(text, OWN) || hasNumber(text, POOR)),
        ).to.deep.equal([])
        expect(stripe.requests.some(({ form }) => form.get('card[number]') === OWN)).to.equal(true)
        await world.close()
        await stripe.close()
      })
    })
  })
}
