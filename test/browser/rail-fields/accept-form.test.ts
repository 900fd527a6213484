import { expect } from 'chai'
import type { Page } from 'playwright-core'
import {
  AuthorizeNetServer,
  LOGIN,
  SIGNATURE_KEY,
  TRANSACTION_KEY,
} from '../../gateways/authorizenet/authorizenet-server.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'

const VISA = '4111111111111111'
const POOR = '4012888818888002'
const OTHER = '4012888888881881'

/**
 * Tests payment links in live whose route leads to Authorize.Net. The payer types the number into
 * Authorize.Net's hosted form, which a test server provides.
 */
if (chromium !== undefined) {
  describe('the pay page with the form of Authorize.Net, in a browser @rest', () => {
    onSqlite((open) => {
      const rail = new AuthorizeNetServer(Date.now)
      let world: RailWorld

      before(async () => {
        const base_url = await rail.start()
        const credentials = {
          login_id: LOGIN,
          transaction_key: TRANSACTION_KEY,
          signature_key: SIGNATURE_KEY,
        }
        world = await openRailWorld(open, { kind: 'authorizenet', base_url, credentials })
        rail.books.reasons.set('8002', '2')
      })
      after(async () => {
        await world.close()
        await rail.stop()
      })

      const enter = async (page: Page, number = VISA) => {
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
        await page.click('.AcceptUI')
        const form = page.frameLocator('#AcceptUIContainer iframe')
        await form.locator('[name=cardNum]').fill(number)
        await form.locator('[name=expiryDate]').fill('12/39')
        await form.locator('[name=cvv]').fill('123')
        await form.locator('form button >> nth=0').click()
        await page.waitForSelector(`.AcceptUI:has-text("Card ending in ${number.slice(-4)}")`)
      }
      const send = async (page: Page) => await page.click('main form button[type=submit]')
      const made = () => rail.books.transactions.size

      it('asks for the card first, and then takes a payment by a one-time token (nonce) of the form', async () => {
        const page = await world.visit(await world.link())
        await page.waitForSelector('#AcceptUIContainer', { state: 'attached' })
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
        await send(page)
        await page.waitForSelector('#rail-card_number-error')
        await enter(page)
        await send(page)
        await page.waitForURL('**/receipt/**')
        expect(await page.innerText('main')).to.include('Visa ending in 1111')
        const [payment] = await world.payments()
        expect(payment).to.include({ status: 'processed', amount: 42.5 })
      })

      it('shows a decline, and accepts another card', async () => {
        const page = await world.visit(await world.link())
        await enter(page, POOR)
        await send(page)
        await page.waitForSelector('[role=alert]:has-text("declined")')
        await enter(page)
        await send(page)
        await page.waitForURL('**/receipt/**')
      })

      it('takes one payment after a double click, and none when the form is closed', async () => {
        const before = made()
        const page = await world.visit(await world.link())
        await page.click('.AcceptUI')
        await page.frameLocator('#AcceptUIContainer iframe').locator('#close').click()
        await enter(page)
        await page.dblclick('main form button[type=submit]')
        await page.waitForURL('**/receipt/**')
        expect(made()).to.equal(before + 1)
      })

      it('takes no payment if the payer leaves after entering a card', async () => {
        const before = made()
        const link = await world.link({ type: 'one_time' })
        const page = await world.visit(link)
        await enter(page)
        await page.close()
        expect(made()).to.equal(before)
        expect(await world.ask('GET', `/payment_links/${link}`)).to.include({ status: 'active' })
      })

      it('takes no second payment if the payer goes back', async () => {
        const before = made()
        const page = await world.visit(await world.link({ type: 'one_time' }))
        await enter(page)
        await send(page)
        await page.waitForURL('**/receipt/**')
        await page.goBack()
        await page.waitForSelector('text=This is paid')
        expect(await page.locator('main form').count()).to.equal(0)
        expect(made()).to.equal(before + 1)
      })

      it('saves a card without a payment, replaces it, and charges the new card', async () => {
        const before = made()
        const customer = idOf(await world.ask('POST', '/customers', { name: 'Ada Park' }))
        const saving = { type: 'method', customer_id: customer, processing_id: world.account }
        for (const number of [VISA, OTHER]) {
          const page = await world.visit(idOf(await world.ask('POST', '/payment_links', saving)))
          await enter(page, number)
          await page.dblclick('main form button[type=submit]')
          await page.waitForSelector('text=This is saved')
        }
        const query = `/payment_methods?account_id=${customer}&fields=*,last_four&order_by=created_at`
        const saved = valuesOf(await world.ask('GET', query))
        expect(saved.map((each) => [each.last_four, each.default_payment_method])).to.deep.equal([
          ['1111', false],
          ['1881', true],
        ])
        expect(objectOf(saved[1]?.card)).to.include({ expiry: '12/39', card_brand: 'visa' })
        const body = { type: 'payment', amount: 5, processing_id: world.account, customer_id: customer }
        expect(await world.ask('POST', '/transactions', body)).to.include({ status: 'processed' })
        expect(made()).to.equal(before + 1)
      })

      it('shows a message if the script of Authorize.Net is blocked', async () => {
        const before = made()
        const context = await world.browser.newContext()
        await context.route('**/v3/AcceptUI.js', (route) => route.abort('blockedbyclient'))
        const page = await world.visitIn(context, await world.link())
        await page.waitForSelector('.blocked')
        expect(made()).to.equal(before)
      })

      it('exposes no card number in requests to the service, its log or its database', async () => {
        const texts = await world.heard()
        for (const number of [VISA, POOR, OTHER])
          expect(texts.filter((text) => hasNumber(text, number))).to.deep.equal([])
        expect(texts.some((text) => text.includes('gateway_token=COMMON.ACCEPT'))).to.equal(true)
      })
    })
  })
}
