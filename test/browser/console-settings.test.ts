import { expect } from 'chai'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import type { JsonObject } from '../../src/schema/json.js'
import { type ConsoleWorld, consoleWorld, EMAIL } from '../support/console-world.js'
import { idOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { card, processingAccount } from '../support/examples.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

const PHONE = { viewport: { width: 390, height: 844 } }

/** Tests settings and payment links like an operator, in a browser that has no network but this machine's. */
if (chromium !== undefined) {
  onSqlite((open) => {
    describe('the settings of the console, in a browser @rest', () => {
      let world: ConsoleWorld
      let browser: Browser
      let processing: string
      const complaints: string[] = []

      before(async () => {
        world = await consoleWorld(open)
        browser = await openBrowser()
        processing = idOf(await world.ask('POST', '/processing_accounts', processingAccount('Park Books')))
      })
      after(async () => {
        await closePages(browser)
      })

      /** Opens a page of an operator who has entered by a code. */
      const enter = async (email = EMAIL, options: BrowserContextOptions = {}): Promise<Page> => {
        const page = patient(await (await browser.newContext(options)).newPage())
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          if (/Content Security Policy|TrustedHTML/.test(message.text())) complaints.push(message.text())
        })
        await page.goto(world.service.address + (await world.entry('test', email)))
        await press(page, 'button')
        return page
      }
      const press = async (page: Page, selector: string) => {
        await Promise.all([page.waitForURL(() => true), page.click(`main ${selector}`)])
      }
      const visit = async (page: Page, path: string) => {
        await page.goto(`${world.service.address}/console/test/${path}`)
      }
      const choose = async (page: Page, label: string) => {
        await page.click(`main .actions >> text="${label}"`)
      }
      const doIt = async (page: Page) => {
        await page.click('main button[value=do]')
      }

      for (const [title, options] of [
        ['with a double click', {}],
        ['on a phone and without scripts', { ...PHONE, javaScriptEnabled: false }],
      ] as const)
        it(`can make, rotate and revoke an API key, ${title}`, async () => {
          const isScripted = title === 'with a double click'
          const page = await enter(EMAIL, options)
          await visit(page, 'settings/keys')
          await choose(page, 'Make a key')
          if (isScripted) expect(await findingsOf(page)).to.deep.equal([])
          await page.fill('[name=description]', 'The shop')
          await page.check(`[value=${processing}]`)
          await page.click('text=Continue')
          expect(await page.innerText('main')).to.include('Park Books')
          // The double click must be sent once, because only the first answer shows the secret.
          if (isScripted) await page.dblclick('main button[value=do]')
          else await doIt(page)
          const secret = await page.innerText('.secret code')
          expect(await world.service.ask(secret, 'GET', '/transactions')).to.include({ status: 200 })
          expect(page.url()).to.match(/\/console\/test\/settings\/keys\/new$/)
          if (isScripted) expect(await findingsOf(page)).to.deep.equal([])
          await page.click('text="Continue"')
          expect(await page.innerText('h1')).to.include('The shop')
          await choose(page, 'Rotate the key')
          await page.click('text=Continue')
          await doIt(page)
          const next = await page.innerText('.secret code')
          expect((await world.service.ask(secret, 'GET', '/transactions')).status).to.equal(401)
          expect((await world.service.ask(next, 'GET', '/transactions')).status).to.equal(200)
          await page.click('text="Continue"')
          expect(await page.innerText('body'))
            .to.not.include(next)
            .and.not.include(secret)
          await choose(page, 'Revoke the key')
          await doIt(page)
          expect(await page.innerText('h1')).to.include('revoked')
          expect((await world.service.ask(next, 'GET', '/transactions')).status).to.equal(401)
        })

      it('can add a cashier, who enters by a code and is refused above the limit', async () => {
        const payment = idOf(
          await world.ask('POST', '/transactions', {
            type: 'payment',
            amount: 80,
            processing_id: processing,
            payment_method: card(),
          }),
        )
        const page = await enter()
        await visit(page, 'settings/operators')
        await choose(page, 'Add an operator')
        await page.fill('[name=name]', 'Bo Reyes')
        await page.fill('[name=email]', 'bo@example.com')
        await page.check('[name=role][value=cashier]')
        await page.fill('[name=limit_each]', '50')
        await page.click('text=Continue')
        expect(await page.innerText('main')).to.include('$50.00')
        await doIt(page)
        expect(await page.innerText('h1')).to.include('Bo Reyes')
        await choose(page, 'Let them in')
        await doIt(page)
        const entry = await page.innerText('.secret code')
        const bo = patient(await (await browser.newContext({ javaScriptEnabled: false })).newPage())
        await bo.goto(world.service.address + entry)
        await bo.click('main button')
        const refund = async (amount: string) => {
          await visit(bo, `transactions/${payment}/refund`)
          await bo.fill('[name=amount]', amount)
          await bo.fill('[name=reason]', 'Returned')
          await bo.click('main button >> nth=0')
        }
        await refund('60')
        expect(await bo.innerText('[role=alert], .error')).to.match(/50\.00/)
        await refund('40')
        await bo.click('main button[value=do]')
        expect(await bo.innerText('main')).to.include('$40.00')
        await visit(bo, 'settings/keys')
        expect(await bo.innerText('main')).to.not.include('Make a key')
        await page.click('text="Continue"')
        expect(await page.innerText('main')).to.include('Signed in')
        await choose(page, 'Disable')
        await doIt(page)
        await visit(bo, 'transactions')
        expect(bo.url()).to.include('/sign-in')
      })

      it('can make and deactivate a payment link, on a phone and without scripts', async () => {
        const page = await enter(EMAIL, { ...PHONE, javaScriptEnabled: false })
        await visit(page, 'links')
        await choose(page, 'Make a link')
        await page.fill('[name=amount]', '12.50')
        await page.fill('[name=description]', '<i>A book</i>')
        await page.click('text=Continue')
        await doIt(page)
        expect(await page.innerText('main'))
          .to.include('<i>A book</i>')
          .and.include('$12.50')
        const address = await page.innerText('main pre code')
        const { pathname } = new URL(address)
        const payer = await fetch(world.service.address + pathname)
        expect(await payer.text()).to.include('12.50')
        await choose(page, 'Deactivate')
        await doIt(page)
        expect(await page.innerText('h1')).to.include('inactive')
        const width = await page.evaluate('document.documentElement.scrollWidth').catch(() => 390)
        expect(width).to.be.at.most(390)
      })

      it('have no accessibility problem that axe-core finds', async () => {
        const page = await enter(EMAIL, { colorScheme: 'dark' })
        const account = `settings/accounts/${processing}`
        const forms = ['links/new', 'webhooks/new', 'settings/gateways/new', 'settings/operators/new']
        for (const path of ['settings', account, `${account}/default`, 'settings/gateways', ...forms]) {
          await visit(page, path)
          expect(await findingsOf(page), path).to.deep.equal([])
        }
        await visit(page, account)
        expect(await page.innerText('main'))
          .to.include('3210')
          .and.not.include('9876543210')
      })

      it('lead to the same page of the other environment, after a sign-in there', async () => {
        const page = await enter()
        await visit(page, 'settings/keys')
        await page.click('text=Switch to live')
        expect(page.url()).to.include('/console/live/sign-in').and.include('settings')
        await page.goto(world.service.address + (await world.entry('live')))
        await page.click('main button')
        await page.goto(`${world.service.address}/console/live/`)
        expect(await page.innerText('body')).to.include('Live')
        await visit(page, 'settings/keys')
        expect(await page.innerText('body')).to.include('Test: no money moves')
      })

      it('have no script error and violate no content security policy', () => {
        expect(complaints).to.deep.equal([] satisfies JsonObject[])
      })
    })
  })
}
