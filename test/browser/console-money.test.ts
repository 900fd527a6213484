import { expect } from 'chai'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { recordNotice } from '../../src/domain/reconciliation/record-notice.js'
import { remoteSimulator } from '../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../support/business.js'
import { consoleServer } from '../support/console.js'
import { idOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { pay } from '../support/examples.js'
import { openReceiver, type Receiver } from '../support/receiver.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

const DESK = { viewport: { width: 1280, height: 900 } }
const DARK = { ...DESK, colorScheme: 'dark', javaScriptEnabled: false } as const
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Tests tasks of operators that move money, in a browser without any network but this machine’s. */
if (chromium !== undefined) {
  describe('money in the console, in a browser @rest', () => {
    onSqlite((open) => {
      const gateway = remoteSimulator()
      let business: Business
      let account: string
      let receiver: Receiver
      let browser: Browser
      let address: string
      let isDown = false
      const complaints: string[] = []

      before(async () => {
        business = await Business.open(open, { gateway })
        account = await business.account({ duplicate_window: 0 })
        receiver = await openReceiver((_received, response) => {
          response.statusCode = isDown ? 500 : 200
          response.end()
        })
        open.atEnd(() => receiver.close())
        const server = consoleServer(business.core.app, { role: 'manager', id: 'oper_ada' })
        address = await server.listen({ port: 0 })
        open.atEnd(() => server.close())
        browser = await openBrowser()
        open.atEnd(() => closePages(browser))
      })
      afterEach(() => expect(complaints.splice(0)).to.deep.equal([]))

      const visit = async (path: string, options: BrowserContextOptions = DESK): Promise<Page> => {
        const page = patient(await (await browser.newContext(options)).newPage())
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          // The browser logs the status of a refusal as an error.
          if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
            complaints.push(message.text())
        })
        if (options.javaScriptEnabled === false) plain.add(page)
        await page.goto(`${address}/console/test/${path}`)
        return page
      }
      /** Pages on which scripts are off. The accessibility check is a script, so it cannot run there. */
      const plain = new WeakSet<Page>()
      const expectReadable = async (page: Page) => {
        if (!plain.has(page)) expect(await findingsOf(page)).to.deep.equal([])
      }
      const payment = async (amount: number, more = {}) =>
        idOf(await pay(business.core, account, amount, more))
      const refundsOf = async (id: string) =>
        (await business.ledger(id)).filter((entry) => entry.startsWith('refund'))
      const shown = async (page: Page) => {
        await page.waitForSelector('h2:text("What will happen")')
        await expectReadable(page)
      }
      const fillRefund = async (page: Page, amount: string) => {
        await page.fill('[name=amount]', amount)
        await page.fill('[name=reason]', 'Half came back')
        await page.click('main button:text("Continue")')
        await shown(page)
      }

      for (const [title, options] of [
        ['at a desk', DESK],
        ['on a phone', PHONE],
        ['in the dark, without scripts', DARK],
      ] as const)
        it(`is refunded once after a double click, Back and a second operator's attempt, ${title}`, async () => {
          const id = await payment(100)
          const page = await visit(`transactions/${id}`, options)
          await expectReadable(page)
          await page.click('main a:text("Refund")')
          expect(await page.inputValue('[name=amount]')).to.equal('100.00')
          await expectReadable(page)
          await page.fill('[name=amount]', '50')
          await page.fill('[name=reason]', 'Half came back')
          await page.click('main button:text("Continue")')
          await page.waitForSelector('h2:text("What will happen")')
          const other = await visit(`transactions/${id}/refund`)
          await fillRefund(other, '50')
          await page.dblclick('main button:text("Refund $50.00")')
          await page.waitForURL(`**/transactions/${id}`)
          if (!plain.has(page)) {
            await page.evaluate('history.go(-2)')
            await page.waitForSelector('[name=amount]')
            expect(await page.innerText('main')).to.include('At most $50.00 is left.')
            await page.goto(`${address}/console/test/transactions/${id}`)
          }
          await other.click('main button:text("Refund $50.00")')
          await other.waitForSelector('[role=alert]')
          expect(await other.innerText('[role=alert]')).to.include('It has changed since this page was shown')
          await expectReadable(other)
          expect(await refundsOf(id)).to.deep.equal(['refund -50'])
          expect(await page.innerText('main')).to.include('-$50.00')
        })

      for (const [title, options] of [
        ['', DESK],
        [', in the dark, without scripts', DARK],
      ] as const)
        it(`is captured, and a missed webhook notification is sent again${title}`, async () => {
          const hook = idOf(
            await business.core.ok('POST', '/webhooks', { trigger: 'processed', url: receiver.address }),
          )
          const id = await payment(80, { status: 'authorized' })
          isDown = true
          const page = await visit(`transactions/${id}`, options)
          await page.click('main a:text("Capture")')
          await page.fill('[name=amount]', '60')
          await page.click('main button:text("Continue")')
          await shown(page)
          await page.click('main button:text("Capture $60.00")')
          await page.waitForURL(`**/transactions/${id}`)
          await business.core.environment.deliver(new AbortController().signal)
          isDown = false
          await page.reload()
          await expectReadable(page)
          await page.click('main a:text("Send again")')
          await shown(page)
          await page.click('main button:text("Send again")')
          await page.waitForURL(`**/transactions/${id}`)
          await business.core.environment.deliver(new AbortController().signal)
          expect(receiver.received.splice(0)).to.have.length(2)
          await page.reload()
          expect(await page.innerText('#attempts'))
            .to.include('500')
            .and.include('200')
          await business.core.ok('DELETE', `/webhooks/${hook}`)
        })

      for (const [title, options] of [
        ['on a phone', PHONE],
        ['in the dark, without scripts', DARK],
      ] as const)
        it(`is booked as a loss to resolve an exception, ${title}`, async () => {
          const notice = {
            kind: 'chargeback',
            dispute: `dp ${title}`,
            payment: 'g_nobody',
            amount: 1000,
          } as const
          await business.core.environment.core.write((work) =>
            recordNotice(work, gateway, { ...notice, statusCode: 'chargeback' }),
          )
          const page = await visit('exceptions', options)
          await expectReadable(page)
          await page.click('#list tbody a')
          await page.click('main a:text("Book a loss")')
          await expectReadable(page)
          await page.fill('[name=reason]', 'Nobody knows it')
          await page.click('main button:text("Continue")')
          await shown(page)
          await page.click('main button:text("Book a loss")')
          await page.waitForURL('**/exceptions/exc_*')
          expect(await page.innerText('main'))
            .to.include('resolved')
            .and.include('Nobody knows it')
          const id = new URL(page.url()).pathname.split('/').at(-1)
          const exception = await business.core.ok('GET', `/admin/exceptions/${id}`)
          expect(exception).to.include({ status: 'resolved', resolution: 'loss' })
        })
    })
  })
}
