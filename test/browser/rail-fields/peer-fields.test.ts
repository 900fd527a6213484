import { expect } from 'chai'
import type { Page } from 'playwright-core'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { findingsOf } from '../accessibility.js'
import { chromium } from '../chromium.js'
import { hasNumber, openRailWorld, type RailWorld } from './rail-world.js'

const VISA = '4242424242424242'
const POOR = '4111111111119904'

/**
 * Tests payment links in live whose route leads to another payctl (the peer). The payer types the number into
 * the peer's fields.
 */
if (chromium !== undefined) {
  describe('the pay page with the fields of a peer, in a browser @rest', () => {
    onSqlite((open) => {
      let there: HttpService
      let key: string
      let world: RailWorld

      const atPeer = async (method: string, path: string, body?: JsonObject) =>
        (await there.ask(key, method, path, body)).body

      before(async () => {
        there = await httpService(await open.migrated())
        open.atEnd(() => there.stop())
        key = await there.key({ manage: true })
        const merchant = idOf(await atPeer('POST', '/processing_accounts', processingAccount()))
        await atPeer('PUT', `/processing_accounts/${merchant}`, { processing: { status: 'active' } })
        const credentials = { secret_key: await there.key({}) }
        world = await openRailWorld(open, { kind: 'peer', base_url: there.address, merchant, credentials })
      })
      after(() => world.close())

      const field = (page: Page, name: string) =>
        page.frameLocator(`[data-rail-field=${name}] iframe`).locator('input')
      const fill = async (page: Page, number = VISA) => {
        await field(page, 'card_number').fill(number)
        await field(page, 'expiry').fill('12/39')
        await field(page, 'card_code').fill('123')
        await page.fill('[name=account_holder]', 'Ada Park')
        await page.fill('[name=postal_code]', '10001')
      }
      const send = async (page: Page) => await page.click('main form button[type=submit]')
      const made = async () => valuesOf(await atPeer('GET', '/transactions?type=payment')).length

      it('takes a payment without seeing its number; its policy allows frames of the peer only', async () => {
        const link = await world.link()
        const page = await world.visit(link)
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
        const [taken] = valuesOf(await atPeer('GET', '/transactions?type=payment'))
        expect(objectOf(taken?.attrs).reference).to.equal(payment?.id)
        const answer = await fetch(`${world.service.address}/pay/${await world.link()}`)
        const policy = answer.headers.get('content-security-policy') ?? ''
        expect(policy).to.include(`frame-src ${there.address};`).and.not.include('unsafe')
      })

      it('shows an error beside the field of an invalid card, and sends no request', async () => {
        const before = await made()
        const page = await world.visit(await world.link())
        await fill(page, '4242424242424241')
        await send(page)
        await page.waitForSelector('#rail-card_number-error')
        await field(page, 'card_number').fill(VISA)
        await page.waitForSelector('#rail-card_number-error', { state: 'detached' })
        expect(await made()).to.equal(before)
        await send(page)
        await page.waitForURL('**/receipt/**')
        expect(await made()).to.equal(before + 1)
      })

      it('shows a decline, accepts another card, and takes further payments in the same tab', async () => {
        const before = await made()
        const page = await world.visit(await world.link())
        await fill(page, POOR)
        await send(page)
        await page.waitForSelector('[role=alert]:has-text("The balance is not sufficient")')
        for (const link of [undefined, await world.link()]) {
          if (link !== undefined) await page.goto(`${world.service.address}/pay/${link}`)
          await fill(page)
          await send(page)
          await page.waitForURL('**/receipt/**')
        }
        expect(await made()).to.equal(before + 3)
      })

      it('takes one payment after a double click, and none if the payer leaves', async () => {
        const left = await world.visit(await world.link())
        await fill(left)
        await left.close()
        const before = await made()
        const page = await world.visit(await world.link())
        await fill(page)
        await page.dblclick('main form button[type=submit]')
        await page.waitForURL('**/receipt/**')
        expect(await made()).to.equal(before + 1)
      })

      it('takes no second payment if the payer goes back', async () => {
        const before = await made()
        const page = await world.visit(await world.link({ type: 'one_time' }))
        await fill(page)
        await send(page)
        await page.waitForURL('**/receipt/**')
        await page.goBack()
        await page.waitForSelector('text=This is paid')
        expect(await made()).to.equal(before + 1)
      })

      it('saves a card without a payment, and charges it twice later', async () => {
        const before = await made()
        const customer = idOf(await world.ask('POST', '/customers', { name: 'Ada Park' }))
        const saving = { type: 'method', customer_id: customer, processing_id: world.account }
        const page = await world.visit(idOf(await world.ask('POST', '/payment_links', saving)))
        await fill(page)
        await send(page)
        await page.waitForSelector('text=This is saved')
        const [saved] = valuesOf(
          await world.ask('GET', `/payment_methods?account_id=${customer}&fields=*,last_four`),
        )
        expect(saved).to.include({ last_four: '4242', default_payment_method: true })
        expect(objectOf(saved?.card)).to.include({ card_brand: 'visa', expiry: '12/39' })
        for (const amount of [5, 6]) {
          const body = { type: 'payment', amount, processing_id: world.account, customer_id: customer }
          expect(await world.ask('POST', '/transactions', body)).to.include({ status: 'processed' })
        }
        expect(await made()).to.equal(before + 2)
      })

      it('shows a message if the script of the peer is blocked', async () => {
        const before = await made()
        const context = await world.browser.newContext()
        await context.route('**/Payload.js', (route) => route.abort('blockedbyclient'))
        const page = await world.visitIn(context, await world.link())
        await page.waitForSelector('.blocked')
        expect(await page.innerText('.blocked'))
          .to.include(new URL(there.address).host)
          .and.include('Nothing was paid')
        expect(await made()).to.equal(before)
      })

      it('exposes no card number in requests to the service, its log or its database', async () => {
        const texts = await world.heard()
        for (const number of [VISA, POOR])
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
