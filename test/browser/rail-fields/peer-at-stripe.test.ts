import { expect } from 'chai'
import type { Page } from 'playwright-core'
import {
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { idOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { chromium } from '../chromium.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'

const VISA = '4242424242424242'
/** Number of a test card whose payer must authenticate with the bank. */
const AUTHENTICATED = '4000002760003184'

/**
 * Tests payment links in live whose route leads to a second payctl (the peer), whose own route leads to Stripe.
 * The fields are Stripe's.
 */
if (chromium !== undefined) {
  describe('the pay page with the fields of a peer at Stripe, in a browser @rest', () => {
    onSqlite((open) => {
      let stripe: StripeServer
      let there: HttpService
      let world: RailWorld

      before(async () => {
        stripe = await openStripeServer(() => Date.now())
        there = await httpService(await open.migrated(), { gatewayLoopback: true })
        open.atEnd(() => there.stop())
        const key = await there.key({ manage: true })
        const ask = async (method: string, path: string, body: Parameters<typeof there.ask>[3]) =>
          (await there.ask(key, method, path, body)).body
        const credentials = { secret_key: SECRET_KEY, publishable_key: PUBLISHABLE_KEY }
        await ask('POST', '/admin/gateways', {
          name: 'cards',
          kind: 'stripe',
          base_url: stripe.address,
          credentials,
        })
        await ask('PUT', '/admin/gateway_routes', { default: 'cards' })
        const merchant = idOf(await ask('POST', '/processing_accounts', processingAccount()))
        await ask('PUT', `/processing_accounts/${merchant}`, { processing: { status: 'active' } })
        const secrets = { secret_key: await there.key({}) }
        world = await openRailWorld(open, {
          kind: 'peer',
          base_url: there.address,
          merchant,
          credentials: secrets,
        })
      })
      after(async () => {
        await world.close()
        await stripe.close()
      })

      const field = (page: Page, name: string) =>
        page.frameLocator(`[data-rail-field=${name}] iframe`).locator('input')
      const pay = async (page: Page, number: string) => {
        await field(page, 'card_number').fill(number)
        await field(page, 'expiry').fill('1239')
        await field(page, 'card_code').fill('123')
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
        await page.click('main form button[type=submit]')
      }
      /** Statuses of all payment intents at Stripe, the newest last. */
      const states = () => stripe.books.intents.map(({ status }) => status)
      const latest = async () => (await world.payments()).at(-1)

      it('takes a payment at Stripe, and neither payctl sees the number', async () => {
        const page = await world.visit(await world.link())
        await pay(page, VISA)
        await page.waitForURL('**/receipt/**')
        expect(await page.innerText('main')).to.include('Visa ending in 4242')
        expect(await latest()).to.include({ status: 'processed' })
        expect(states()).to.deep.equal(['succeeded'])
      })

      it('leads a payer to the bank and back through both services, and then has paid once', async () => {
        const page = await world.visit(await world.link({ type: 'one_time' }))
        await pay(page, AUTHENTICATED)
        await page.waitForURL(`${world.service.address}/authenticate/**`)
        await page.click('main a.button')
        await page.waitForURL(`${there.address}/authenticate/**`)
        await page.frameLocator('iframe').getByText('Complete').click()
        await page.waitForURL(`${world.service.address}/receipt/**`)
        expect(await latest()).to.include({ status: 'processed' })
        expect(states()).to.deep.equal(['succeeded', 'succeeded'])
      })

      it('cancels the payment at Stripe if the payer cancels on its page', async () => {
        const page = await world.visit(await world.link({ type: 'one_time' }))
        await pay(page, AUTHENTICATED)
        await page.waitForURL(`${world.service.address}/authenticate/**`)
        await page.click('text=Do not pay')
        await page.waitForURL('**/paid/**')
        expect(await latest()).to.include({ status: 'declined', status_code: 'authentication_required' })
        expect(states().at(-1)).to.equal('canceled')
      })

      it('exposes no card number in requests to the service, its log or its database', async () => {
        const texts = await world.heard()
        for (const number of [VISA, AUTHENTICATED])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
      })

      it('violates no content security policy', () => {
        expect(world.complaints.filter((text) => !/status of 40[0-4]/.test(text))).to.deep.equal([])
      })
    })
  })
}
