import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { consoleServer } from '../support/console.js'
import { idOf, openCore, type TestCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { eachCase } from '../support/each-case.js'
import { makeProcessing, pay } from '../support/examples.js'
import { CONTRAST, findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Hand-made pages of the console, and some derived from the declarations. */
const PAGES = [
  '',
  'transactions',
  'transactions?status=processed&filter_by=amount',
  'customers',
  'invoices',
  'schedules',
  'links',
  'deposits',
  'disputes',
  'exceptions',
  'webhooks',
  'settings',
  'settings/keys',
  'settings/gateways',
  'settings/operators',
  'settings/accounts',
  'activity',
  'search?q=4242',
  'search?q=nothing-like-it',
  'objects',
  'receipts',
  'reports/summary',
  'reports/statement',
  'reports/aging',
  'links/new',
  'settings/keys/new',
  'settings/operators/new',
  'no/such/page',
]

/**
 * Script that collects the elements that Tab must reach: visible links and controls, and the checked one of
 * each group of radio buttons.
 */
const MARK_STOPS = `
var unseen = []
var stops = new Set([...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary')]
  .filter((stop) => stop.checkVisibility() && (stop.type !== 'radio' || stop.checked)))
stops.size`

/** Script that removes the focused element from the collected ones, and records it if its focus is not visible. */
const VISIT_STOP = `
if (document.activeElement !== document.body) {
  var isFirst = stops.delete(document.activeElement)
  var { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement)
  if (isFirst && (outlineStyle === 'none' || outlineWidth === '0px')) unseen.push(document.activeElement.outerHTML)
}`

if (chromium !== undefined) {
  describe('the console, in a browser @rest', () => {
    onSqlite((open) => {
      let core: TestCore
      let server: FastifyInstance
      let browser: Browser
      let address: string
      let paid: string
      const complaints: string[] = []

      before(async () => {
        core = await openCore(open)
        paid = idOf(await pay(core, await makeProcessing(core), 29.99))
        server = consoleServer(core.app)
        address = await server.listen({ host: '127.0.0.1', port: 0 })
        browser = await openBrowser()
      })
      after(async () => {
        await closePages(browser)
        await server.close()
      })

      /** A page without transitions to the next page: a slow browser skips them, and reports that as an error. */
      async function pageWith(options: BrowserContextOptions = {}): Promise<Page> {
        const page = patient(
          await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage(),
        )
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error' && !message.text().includes('404')) complaints.push(message.text())
        })
        return page
      }
      const at = (path: string) => `${address}/console/test/${path}`

      it('has no accessibility problem and no horizontal scrolling, light or dark, on a phone or desktop', async () => {
        const page = await pageWith()
        await eachCase(
          [...PAGES, `transactions/${paid}`, `transactions/${paid}/refund`],
          (path) => path,
          async (path) => {
            await page.goto(at(path))
            await page.emulateMedia({ colorScheme: 'light' })
            for (const width of [390, 1280]) {
              await page.setViewportSize({ width, height: 900 })
              expect(await findingsOf(page), `${width}`).to.deep.equal([])
              expect(await page.evaluate('document.documentElement.scrollWidth'), `${width}`).to.equal(width)
            }
            await page.emulateMedia({ colorScheme: 'dark' })
            expect(await findingsOf(page, CONTRAST), 'dark').to.deep.equal([])
          },
        )
        await page.context().close()
      })

      it('opens an object by keyboard: / to search, Enter, and the first Tab skips to the content', async () => {
        const page = await pageWith()
        await page.goto(at('transactions'))
        await page.keyboard.press('/')
        await page.keyboard.type(paid)
        await Promise.all([page.waitForURL(`**/transactions/${paid}`), page.keyboard.press('Enter')])
        await page.keyboard.press('Tab')
        expect(await page.evaluate('document.activeElement.textContent')).to.equal('Skip to the content')
        await page.keyboard.press('Enter')
        expect(await page.evaluate('document.activeElement.id')).to.equal('content')
        await page.context().close()
      })

      it('can be used by keyboard alone: Tab reaches each link, button and field, and shows its focus', async () => {
        const page = await pageWith()
        await eachCase(
          [
            '',
            'transactions?filter_by=amount',
            `transactions/${paid}`,
            `transactions/${paid}/refund`,
            'links/new',
            'reports/summary',
          ],
          (path) => path,
          async (path) => {
            await page.goto(at(path))
            const count = Number(await page.evaluate(MARK_STOPS))
            expect(count).to.be.above(10)
            for (let presses = 0; presses < 2 * count; presses++) {
              await page.keyboard.press('Tab')
              await page.evaluate(VISIT_STOP)
            }
            expect(
              await page.evaluate('[...stops].map((stop) => stop.outerHTML)'),
              'not reached',
            ).to.deep.equal([])
            expect(await page.evaluate('unseen'), 'without visible focus').to.deep.equal([])
          },
        )
        await page.context().close()
      })

      it('prints complete tables, without elements that are useful only on a screen', async () => {
        const page = await pageWith()
        // Width of an A4 page between its margins, at 96 dots per inch.
        await page.setViewportSize({ width: 680, height: 1000 })
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
        for (const path of ['transactions', `transactions/${paid}`, 'reports/statement', 'reports/summary']) {
          await page.goto(at(path))
          for (const selector of [
            'nav.side',
            '.top',
            '.filters',
            '.actions',
            '.pages',
            '.bottom',
            'main form',
          ])
            expect(await page.locator(`${selector} >> visible=true`).count(), `${path} ${selector}`).to.equal(
              0,
            )
          expect(await page.locator('h1').isVisible()).to.equal(true)
          const cut = await page.evaluate(
            "[...document.querySelectorAll('.list')].filter((list) => getComputedStyle(list).overflowX !== 'visible' || list.scrollWidth > innerWidth).map((list) => list.scrollWidth)",
          )
          expect(cut, path).to.deep.equal([])
          expect(await page.evaluate('getComputedStyle(document.body).color')).to.equal('rgb(0, 0, 0)')
        }
        await page.context().close()
      })

      it('adds a filter by its form, shows it as a chip, and removes it, without scripts', async () => {
        const page = await pageWith({ javaScriptEnabled: false })
        await page.goto(at('transactions'))
        await page.click('.filters summary')
        await page.click('.menu a:text-is("Amount")')
        await page.fill('#filter-value', '1000')
        await page.click('button:text-is("Apply")')
        expect(new URL(page.url()).search).to.equal('?amount=%3E%3D1000')
        expect(await page.innerText('.chip')).to.include('Amount at least 1000')
        expect(await page.innerText('main')).to.include('Nothing matches these filters')
        await page.click('.chip a:last-child')
        await page.waitForLoadState()
        expect(await page.locator('tbody tr').count()).to.equal(1)
        await page.context().close()
      })

      it('works without scripts: a list leads to an object, and the object to its account', async () => {
        const page = await pageWith({ javaScriptEnabled: false })
        await page.goto(at('transactions'))
        await page.click('tbody a')
        expect(page.url()).to.equal(at(`transactions/${paid}`))
        await page.click('main a[href*="settings/accounts"]')
        expect(await page.innerText('h1')).to.include('Park Books')
        await page.context().close()
      })

      it('copies a command, filters rows by typed text, and shows times in the local zone', async () => {
        const page = await pageWith({
          timezoneId: 'Asia/Tokyo',
          permissions: ['clipboard-read', 'clipboard-write'],
        })
        await page.goto(at('transactions?status=processed'))
        await page.click('.elsewhere summary')
        await page.locator('.elsewhere .copy').first().click()
        expect(await page.evaluate('navigator.clipboard.readText()')).to.equal(
          'payctl transactions list --where status=processed',
        )
        await page.fill('#inplace', 'no such row')
        expect(await page.locator('tbody tr:visible').count()).to.equal(0)
        await page.fill('#inplace', 'processed')
        expect(await page.locator('tbody tr:visible').count()).to.equal(1)
        expect(await page.getAttribute('tbody time', 'title')).to.match(/ E[SD]T$/)
        await page.context().close()
      })

      it('refunds a payment by the keyboard alone', async () => {
        const page = await pageWith()
        await page.goto(at(`transactions/${paid}`))
        const to = async (selector: string) => {
          for (let presses = 0; presses < 200; presses++) {
            if (await page.evaluate(`document.activeElement.matches(${JSON.stringify(selector)})`)) return
            await page.keyboard.press('Tab')
          }
          throw new Error(`Tab never reaches ${selector}`)
        }
        await to('main a[href$="/refund"]')
        await Promise.all([page.waitForURL('**/refund'), page.keyboard.press('Enter')])
        await to('[name=amount]')
        await page.keyboard.press('ControlOrMeta+a')
        await page.keyboard.type('9.99')
        await to('[name=reason]')
        await page.keyboard.type('Torn')
        await page.keyboard.press('Enter')
        await page.waitForSelector('h2:text("What will happen")')
        await to('main button[value=do]')
        await Promise.all([page.waitForURL(`**/transactions/${paid}`), page.keyboard.press('Space')])
        expect(await page.innerText('main')).to.include('$9.99')
        await page.context().close()
      })

      it('has no script error and violates no content security policy', () => {
        expect(complaints).to.deep.equal([])
      })
    })
  })
}
