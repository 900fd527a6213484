import { expect } from 'chai'
import type { Frame, Page } from 'playwright-core'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { findingsOf } from '../accessibility.js'
import { chromium } from '../chromium.js'
import { type ComponentWorld, componentWorld, eventOf } from './component-world.js'

const SSN = '123-45-6789'
const EIN = '98-7654321'
const ACCOUNT = '9876501234'

const TEXTS = {
  name: 'Lamp Shop',
  'processing.industry': 'lamps',
  email: 'lamps@example.com',
  phone_number: '212 555 0100',
  'legal_entity.legal_name': 'Lamp Shop LLC',
  'legal_entity.ein': EIN,
  'legal_entity.phone_number': '212 555 0100',
  'legal_entity.street_address': '1 Main Street',
  'legal_entity.city': 'New York',
  'legal_entity.state_province': 'NY',
  'legal_entity.postal_code': '10001',
  'legal_entity.state_incorporated': 'NY',
  'legal_entity.owners.0.full_name': 'Grace Park',
  'legal_entity.owners.0.title': 'Owner',
  'legal_entity.owners.0.ownership': '100',
  'legal_entity.owners.0.birth_date': '1980-01-31',
  'legal_entity.owners.0.ssn': SSN,
  'legal_entity.owners.0.email': 'grace@example.com',
  'legal_entity.owners.0.phone_number': '212 555 0101',
  'legal_entity.owners.0.street_address': '1 Main Street',
  'legal_entity.owners.0.city': 'New York',
  'legal_entity.owners.0.state_province': 'NY',
  'legal_entity.owners.0.postal_code': '10001',
  'payment_methods.0.account_holder': 'Lamp Shop LLC',
  'payment_methods.0.bank_account.routing_number': '021000021',
  'payment_methods.0.bank_account.account_number': ACCOUNT,
}

/** Tests the unmodified `ProcessingAccountForm` of the React client on a page of another site than the service's. */
if (chromium !== undefined) {
  describe('the account form of payload-react, in a browser @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld
      const log: string[] = []

      before(async () => {
        world = await componentWorld(open, { log: { write: (line) => void log.push(line) } })
      })

      const ok = async (path: string): Promise<JsonObject> =>
        (await world.service.ask(world.key, 'GET', path)).body
      const accounts = async () => listOf((await ok('/processing_accounts')).values).length
      const show = async (intent: JsonObject, options = '') => {
        const key = await world.clientKey(intent)
        const events = "noting('loaded', 'closed', 'success', 'account_created')"
        return await world.visit({
          script: `const { h, show } = shop
const options = { clientToken: '${key}', ${options} ...${events} }
show(h('div', null, h('button', { onClick: () => shop.openProcessingAccountForm(options) }, 'Set up'),
  h(shop.ProcessingAccountForm, options)))`,
        })
      }
      const frameOf = async (page: Page): Promise<Frame> => {
        const frame = await (await page.waitForSelector('iframe')).contentFrame()
        if (!frame) throw new Error('The set-up has no frame')
        // Playwright does not load a new frame during an evaluation in the page, so the frame is awaited first.
        await frame.waitForSelector('main')
        return frame
      }
      const choose = async (place: Page | Frame) => {
        for (const value of ['checking', 'business']) await place.check(`[value=${value}]`)
      }
      const fill = async (place: Page | Frame, more: Readonly<Record<string, string>> = {}) => {
        for (const [name, value] of Object.entries({ ...TEXTS, ...more }))
          await place.fill(`[name="${name}"]`, value)
        await place.selectOption('[name="legal_entity.type"]', 'LIMITED_LIABILITY_COMPANY')
        await choose(place)
      }

      it('sets up an account in its container, and exposes its numbers in no page, log or answer', async () => {
        const page = await show({ processing_account_form: {} })
        const frame = await frameOf(page)
        await eventOf(page, 'loaded')
        expect(await page.locator('iframe').getAttribute('title')).to.equal('Account set-up')
        expect(await findingsOf(frame)).to.deep.equal([])
        await fill(frame)
        await frame.click('button[type=submit]')
        const { account } = await eventOf(page, 'account_created')
        expect(await eventOf(page, 'success')).to.deep.equal({ type: 'success', account })
        await frame.waitForSelector('text=Your account is set up')
        expect(await findingsOf(frame)).to.deep.equal([])
        const path = `/processing_accounts/${objectOf(account).id}?fields=*,legal_entity[owners],payment_methods`
        const made = await ok(path)
        expect(made).to.include({ name: 'Lamp Shop', status: 'pending' })
        const written = JSON.stringify(made)
        expect(written).to.include('xxxxx6789').and.include('xxxxx4321').and.include('xxxxxx1234')
        const activity = JSON.stringify(await ok('/admin/activity?fields=*'))
        expect(activity).to.include(String(objectOf(account).id))
        const places = {
          page: String(await page.evaluate('seen()')),
          frame: await frame.content(),
          shop: world.site.received.join('\n'),
          addresses: world.addresses.join('\n'),
          answer: written,
          activity,
          log: log.join(''),
        }
        expect(places.log).to.include('/components/account')
        for (const [place, text] of Object.entries(places))
          for (const number of [SSN, EIN, ACCOUNT])
            expect(text.replaceAll('-', ''), place).to.not.include(number.replaceAll('-', ''))
        for (const word of ['Grace', '021000021', '1980-01-31']) expect(places.page).to.not.include(word)
      })

      it('shows errors beside missing and wrong fields, and requires the numbers again', async () => {
        const before = await accounts()
        const page = await show({ processing_account_form: {} })
        const frame = await frameOf(page)
        await frame.click('button[type=submit]')
        expect(await frame.locator('.error').count()).to.equal(Object.keys(TEXTS).length + 3)
        expect(await findingsOf(frame)).to.deep.equal([])
        await fill(frame, { 'legal_entity.ein': '12', 'legal_entity.owners.0.birth_date': 'long ago' })
        await frame.click('button[type=submit]')
        await frame.waitForSelector('[id="field-legal_entity.ein-error"]')
        await frame.waitForSelector('[id="field-legal_entity.owners.0.birth_date-error"]')
        expect(await findingsOf(frame)).to.deep.equal([])
        expect(await frame.inputValue('[name="legal_entity.owners.0.ssn"]')).to.equal('')
        expect(await frame.inputValue('[name="legal_entity.legal_name"]')).to.equal('Lamp Shop LLC')
        expect(await accounts()).to.equal(before)
      })

      it('opens in a window after a click, and reports when the window is closed', async () => {
        const page = await show({ processing_account_form: {} })
        const [opened] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
        await opened.waitForSelector('form')
        await opened.close()
        await eventOf(page, 'closed')
        const [again] = await Promise.all([page.waitForEvent('popup'), page.click('button')])
        await page.evaluate('events.length = 0')
        await Promise.all([again.waitForEvent('close'), again.click('[data-close]')])
        await eventOf(page, 'closed')
      })

      it('opens over the page if the browser allows no window, and returns the focus at the end', async () => {
        const page = await show({ processing_account_form: {} })
        await page.evaluate('window.open = () => null')
        await page.click('button')
        await page.frameLocator('dialog iframe').locator('[data-close]').click()
        await eventOf(page, 'closed')
        expect(await page.evaluate('document.activeElement.textContent')).to.equal('Set up')
      })

      it('creates one account if the answer is lost and the form is sent again', async () => {
        const before = await accounts()
        const page = await show({ processing_account_form: {} })
        let lost = 0
        await page.route('**/components/account?*', async (route) => {
          if (route.request().method() !== 'POST' || lost++ > 0) return await route.continue()
          await route.fetch()
          await route.abort()
        })
        const frame = await frameOf(page)
        await fill(frame)
        await frame.click('button[type=submit]')
        await frame.waitForSelector('[role=alert]')
        await frame.click('button[type=submit]')
        await eventOf(page, 'success')
        expect(await accounts()).to.equal(before + 1)
      })

      it('adds an account to the legal entity named in the key; the page cannot choose another', async () => {
        const path = `/processing_accounts/${world.account}?fields=*,legal_entity_id`
        const entity = String((await ok(path)).legal_entity_id)
        const option = `legalEntityId: '${entity}',`
        const refused = await frameOf(await show({ processing_account_form: {} }, option))
        expect(await refused.innerText('main')).to.include('not for this legal entity')
        const page = await show({ processing_account_form: { legal_entity_id: entity } }, option)
        const frame = await frameOf(page)
        expect(await frame.locator('[name^=legal_entity]').count()).to.equal(0)
        for (const [name, value] of Object.entries(TEXTS))
          if (!name.startsWith('legal_entity')) await frame.fill(`[name="${name}"]`, value)
        await choose(frame)
        await frame.click('button[type=submit]')
        const { account } = await eventOf(page, 'success')
        const made = await ok(`/processing_accounts/${objectOf(account).id}?fields=*,legal_entity_id`)
        expect(made).to.include({ legal_entity_id: entity, status: 'pending' })
      })

      it('is refused with a key of another kind', async () => {
        const frame = await frameOf(await show({ checkout_plugin: {} }))
        expect(await frame.innerText('main')).to.include('processing_account_form')
      })

      it('fits a narrow screen, and is accessible in light and dark mode', async () => {
        const key = await world.clientKey({ processing_account_form: {} })
        for (const colorScheme of ['light', 'dark'] as const) {
          const viewport = { width: 320, height: 640 }
          const page = await world.visit(
            { script: `shop.show(shop.h(shop.ProcessingAccountForm, { clientToken: '${key}' }))` },
            { viewport, colorScheme },
          )
          const frame = await frameOf(page)
          expect(await findingsOf(frame), colorScheme).to.deep.equal([])
          const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth'
          expect([await page.evaluate(isWide), await frame.evaluate(isWide)]).to.deep.equal([false, false])
        }
      })

      it('violates no content security policy', () => {
        // `ERR_FAILED` comes from the answer that a test drops on purpose.
        expect(world.complaints.filter((text) => !text.includes('ERR_FAILED'))).to.deep.equal([])
      })
    })
  })
}
