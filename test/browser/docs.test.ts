import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { payctl } from '../cli/commands/payctl.js'
import { objectOf } from '../support/core.js'
import { onSqlite, type Place } from '../support/databases.js'
import { processingAccount } from '../support/examples.js'
import { type Server, startServer } from '../support/server-process.js'
import { CONTRAST, findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Tests the page `/docs` in a browser that has no network but this machine's. */
if (chromium !== undefined) {
  describe('the page /docs about the HTTP interface, in a browser @rest', () => {
    onSqlite((open) => {
      let server: Server
      let browser: Browser
      let page: Page
      let key: string
      const asked: string[] = []
      const complaints: string[] = []

      before(async () => {
        const place = await open.place()
        key = await madeKey(place)
        server = await startServer(place)
        browser = await openBrowser()
        page = patient(await browser.newPage())
        page.on('request', (request) => asked.push(request.url()))
        page.on('pageerror', (error) => complaints.push(error.message))
        page.on('console', (message) => {
          if (message.type() === 'error') complaints.push(message.text())
        })
        await page.goto(`${server.address}/docs`)
      })
      after(async () => {
        await closePages(browser)
        server.kill()
        await server.ended
      })

      it('shows every resource', async () => {
        await page.waitForSelector('#operations-tag-Transactions')
        const tags = await page.locator('.opblock-tag').allInnerTexts()
        expect(tags.map((tag) => tag.split('\n')[0])).to.include.members([
          'Accounts',
          'Billing schedules',
          'Invoices',
          'Webhook logs',
          'Admin',
        ])
      })

      it('takes a payment with the example that it shows', async () => {
        await page.click('.btn.authorize')
        await page.fill('.modal-ux [aria-label="auth-basic-username"]', key)
        await page.locator('.modal-ux .auth-btn-wrapper .authorize').first().click()
        await page.click('.modal-ux .btn-done')

        await page.click('#operations-tag-Transactions')
        const operation = page.locator('#operations-Transactions-createTransaction')
        await operation.locator('.opblock-summary-control').click()
        await operation.locator('.execute').click()
        const answer = operation.locator('.live-responses-table .response')
        expect(await answer.locator('.response-col_status').innerText()).to.include('200')
        const shown = objectOf(JSON.parse(await answer.locator('.highlight-code code').first().innerText()))
        expect(shown).to.include({ object: 'transaction', amount: 29.99, status: 'processed' })
      })

      it('has no accessibility problem, light or dark, with an open operation and with the dialog for a key', async () => {
        for (const [colorScheme, rule] of [['light'], ['dark', CONTRAST]] as const) {
          const other = patient(await (await browser.newContext({ colorScheme })).newPage())
          await other.goto(`${server.address}/docs`)
          await other.click('#operations-tag-Transactions')
          const operation = other.locator('#operations-Transactions-createTransaction')
          await operation.locator('.opblock-summary-control').click()
          await operation.locator('.execute').waitFor()
          expect(await findingsOf(other, rule), colorScheme).to.deep.equal([])
          await other.click('.btn.authorize')
          await other.waitForSelector('.modal-ux')
          expect(await findingsOf(other, rule), `${colorScheme}, with the dialog`).to.deep.equal([])
          await other.context().close()
        }
      })

      it('loads resources only from the service, and none that its content security policy refuses', () => {
        expect(
          asked.filter((url) => !url.startsWith(server.address) && !url.startsWith('data:')),
        ).to.deep.equal([])
        expect(asked).to.include(`${server.address}/openapi.json`)
        expect(complaints).to.deep.equal([])
      })
    })
  })
}

/** Makes a key, and a processing account that payments go to by default; returns the key. */
async function madeKey(place: Place): Promise<string> {
  const data = ['--data', '-', '--json']
  const input = JSON.stringify(processingAccount())
  await payctl(place, ['processing-accounts', 'create', ...data], { input })
  const { stdout } = await payctl(place, ['keys', 'create', '--json'])
  return String(objectOf(JSON.parse(stdout)).secret_key)
}
