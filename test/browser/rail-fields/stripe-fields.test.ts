import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { systemClock } from '../../../src/platform/clock.js'
import {
  NOTIFICATION_SECRET,
  openStripeServer,
  PUBLISHABLE_KEY,
  SECRET_KEY,
  type StripeServer,
} from '../../gateways/stripe/stripe-server.js'
import { idOf, objectOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { findingsOf } from '../accessibility.js'
import { chromium } from '../chromium.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'

const VISA = '4242424242424242'
const DEBIT = '4000056655665556'
const POOR = '4000000000009995'

/**
 * Tests payment links in live whose route leads to Stripe. The payer types the number into Stripe's fields,
 * which a test server provides.
 */
if (chromium !== undefined) {
  describe('the pay page with the fields of Stripe, in a browser @rest', () => {
    onSqlite((open) => {
      let stripe: StripeServer
      let world: RailWorld

      before(async () => {
        stripe = await openStripeServer(() => systemClock.now())
        const credentials = {
          secret_key: SECRET_KEY,
          notification_secret: NOTIFICATION_SECRET,
          publishable_key: PUBLISHABLE_KEY,
        }
        world = await openRailWorld(open, { kind: 'stripe', base_url: stripe.address, credentials })
      })
      after(async () => {
        await world.close()
        await stripe.close()
      })

      const field = (page: Page, name: string) =>
        page.frameLocator(`[data-rail-field=${name}] iframe`).locator('input')
      const fill = async (page: Page, number = VISA, expiry = '1239') => {
        await field(page, 'card_number').fill(number)
        await field(page, 'expiry').fill(expiry)
        await field(page, 'card_code').fill('123')
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
      }
      const send = async (page: Page) => await page.click('main form button')
      const made = () => stripe.books.intents.length

      it('takes a payment without seeing its number; its policy allows only the origins of Stripe', async () => {
        const page = await world.visit(await world.link())
        expect(await page.locator('[name=card_number]').count()).to.equal(0)
        await fill(page)
        expect(await findingsOf(page)).to.deep.equal([])
        await send(page)
        await page.waitForURL('**/receipt/**')
        expect(await page.innerText('main'))
          .to.include('42.50 USD')
          .and.include('Visa ending in 4242')
        const [payment] = await world.payments()
        expect(payment).to.include({ status: 'processed', amount: 42.5 })
        const [intent] = stripe.books.intents
        expect(intent?.metadata['reference']).to.equal(payment?.id)
        const answer = await fetch(`${world.service.address}/pay/${await world.link()}`)
        const policy = answer.headers.get('content-security-policy') ?? ''
        const named = (directive: string) =>
          (new RegExp(`${directive} ([^;]*)`).exec(policy)?.[1] ?? '').replace(/'sha256-[^']*'/, 'HASH')
        expect([named('script-src'), named('frame-src'), named('connect-src')]).to.deep.equal([
          `HASH ${stripe.address}`,
          stripe.address,
          `'self' ${stripe.address}`,
        ])
      })

      it('shows an error beside the field of an invalid card, and sends no request', async () => {
        const before = made()
        const page = await world.visit(await world.link())
        await fill(page, '4242424242424241', '1220')
        await send(page)
        await page.waitForSelector('#rail-card_number-error')
        expect(await page.innerText('#rail-card_number-error')).to.equal('Your card number is invalid.')
        await field(page, 'card_number').fill(VISA)
        await send(page)
        await page.waitForSelector('#rail-expiry-error')
        expect(await page.innerText('#rail-expiry-error')).to.include('in the past')
        expect(made()).to.equal(before)
      })

      it('shows a decline, and accepts another card', async () => {
        const before = made()
        const page = await world.visit(await world.link())
        await fill(page, POOR)
        await send(page)
        await page.waitForSelector('[role=alert]')
        expect(await page.innerText('[role=alert]')).to.include('The balance is not sufficient')
        await fill(page)
        await send(page)
        await page.waitForURL('**/receipt/**')
        expect(made()).to.equal(before + 2)
        const statuses = (await world.payments()).slice(-2).map(({ status }) => status)
        expect(statuses).to.have.members(['declined', 'processed'])
      })

      it('takes one payment after a double click, and none if the payer leaves', async () => {
        const left = await world.visit(await world.link())
        await fill(left)
        await left.close()
        const before = made()
        const page = await world.visit(await world.link())
        await fill(page)
        await page.dblclick('main form button')
        await page.waitForURL('**/receipt/**')
        expect(made()).to.equal(before + 1)
      })

      it('takes no second payment if the payer goes back', async () => {
        const before = made()
        const page = await world.visit(await world.link({ type: 'one_time' }))
        await fill(page)
        await send(page)
        await page.waitForURL('**/receipt/**')
        await page.goBack()
        await page.waitForSelector('text=This is paid')
        expect(await page.locator('main form').count()).to.equal(0)
        expect(made()).to.equal(before + 1)
      })

      it('shows a message if the script of Stripe is blocked', async () => {
        const before = made()
        const context = await world.browser.newContext()
        await context.route('**/endive/stripe.js', (route) => route.abort('blockedbyclient'))
        const link = await world.link()
        const page = await world.visitIn(context, link)
        await page.waitForSelector('.blocked')
        expect(await page.innerText('.blocked'))
          .to.include(new URL(stripe.address).host)
          .and.include('Nothing was paid')
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
        await send(page)
        expect(await page.locator('.blocked').count()).to.equal(1)
        expect(made()).to.equal(before)
      })

      it('explains that it needs JavaScript if scripts are off', async () => {
        const page = await world.visit(await world.link(), { javaScriptEnabled: false })
        expect(await page.innerText('main')).to.include('which need JavaScript')
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
        await send(page)
        expect(await page.innerText('main')).to.include('Enter the card again')
      })

      it("computes the fee and the description from Stripe's data about the card", async () => {
        await world.ask('PUT', `/processing_settings/${await settingsOf(world)}`, {
          debit_trans_rate: 1,
          credit_trans_rate: 5,
        })
        const page = await world.visit(await world.link({ amount: 100 }))
        await fill(page, DEBIT)
        await send(page)
        await page.waitForURL('**/receipt/**')
        const [payment] = (await world.payments()).slice(-1)
        const shown = await world.ask('GET', `/transactions/${payment?.id}?fields=fee,payment_method`)
        expect(shown.fee).to.equal(1.3)
        expect(shown.payment_method).to.deep.include({ description: 'Visa ending in 5556' })
      })

      it('recognizes a card that pays the same amount again within a minute', async () => {
        const link = await world.link({ amount: 77, type: 'reusable' })
        for (const alert of [undefined, 'The same payment was tried before']) {
          const page = await world.visit(link)
          await fill(page)
          await send(page)
          if (alert === undefined) await page.waitForURL('**/receipt/**')
          else expect(await page.innerText('[role=alert]')).to.include(alert)
        }
      })

      it('exposes no card number in requests to the service, its log or its database', async () => {
        const texts = await world.heard()
        for (const number of [VISA, DEBIT, POOR])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
        expect(texts.some((text) => text.includes('gateway_token=pm_'))).to.equal(true)
      })

      it('violates no content security policy', () => {
        const expected = /status of 40[0-4]|ERR_BLOCKED_BY_CLIENT/
        expect(world.complaints.filter((text) => !expected.test(text))).to.deep.equal([])
      })
    })
  })
}

async function settingsOf(world: RailWorld): Promise<string> {
  const { processing } = await world.ask('GET', `/processing_accounts/${world.account}?fields=processing`)
  return idOf(objectOf(objectOf(processing).settings))
}
