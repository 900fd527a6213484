import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { parse } from 'csv-parse/sync'
import type { Browser, Page } from 'playwright-core'
import { owner } from '../../src/engine/core/request/principal.js'
import { moneyWithCurrency, parseMoney } from '../../src/schema/money.js'
import { payctl } from '../cli/commands/payctl.js'
import { type ConsoleWorld, consoleWorld } from '../support/console-world.js'
import { idOf, listOf, objectOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { card, processingAccount } from '../support/examples.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

const WAYS = [
  ['with scripts', { viewport: { width: 1280, height: 900 } }],
  ['without scripts, on a phone @rest', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
] as const

/** Common tasks of operators in the console, from signing in by a code to the result. */
if (chromium !== undefined) {
  onSqlite((open) => {
    for (const [way, options] of WAYS)
      describe(`operators in the console, in a browser ${way}`, () => {
        let world: ConsoleWorld
        let browser: Browser
        let page: Page
        let account: string
        let sought: string

        before(async () => {
          world = await consoleWorld(open)
          account = idOf(await world.ask('POST', '/processing_accounts', processingAccount('Park Books')))
          const settings = { duplicate_window: 0, risk_check_enabled: false }
          await world.ask('PUT', `/processing_accounts/${account}`, { processing: { settings } })
          for (const amount of [29.99, 41, 1234.5]) await pay(amount)
          sought = await pay(29.99, '5555 5555 5555 4444')
          await pay(55, '4111 1111 1111 9904')
          browser = await openBrowser()
          page = patient(await (await browser.newContext(options)).newPage())
          await page.goto(world.service.address + (await world.entry()))
          await page.click('main button')
          await page.waitForSelector('h1')
        })
        after(async () => {
          await closePages(browser)
        })

        const pay = async (amount: number, number?: string): Promise<string> => {
          const { core } = await world.service.app.environment('test')
          const body = { type: 'payment', amount, processing_id: account, payment_method: card(number) }
          const { body: made } = await core.handle({
            method: 'POST',
            path: '/transactions',
            body,
            principal: owner,
          })
          return String(made.id ?? '')
        }
        const visit = async (path: string) => {
          await page.goto(`${world.service.address}/console/test/${path}`)
        }
        const main = async () => await page.innerText('main')
        /** Adds a filter with its form, by choosing a value. */
        const filterBy = async (name: string, choice: string) => {
          await page.click('.filters summary')
          await page.click(`.menu a:text-is("${name}")`)
          await page.check(`[name=filter_value][value="${choice}"]`)
          await page.click('button:text-is("Apply")')
          await page.waitForLoadState()
        }
        /** Texts of the cells of a table, by row. */
        const rows = async (table: string) =>
          await Promise.all(
            (await page.locator(`${table} tbody tr`).all()).map((row) => row.locator('td').allInnerTexts()),
          )

        it('find a payment by the last four digits and the amount', async () => {
          await visit('')
          await page.fill('#search', '4444 29.99')
          await page.press('#search', 'Enter')
          await page.waitForSelector('main section a')
          const links = page.locator(`main tbody a[href*="/transactions/"]`)
          expect(await links.count()).to.equal(1)
          await links.first().click()
          expect(page.url()).to.match(new RegExp(`/transactions/${sought}$`))
          expect(await main())
            .to.include('$29.99')
            .and.include('ending in 4444')
        })

        it('see why a payment was declined', async () => {
          await visit('transactions')
          await filterBy('Status', 'declined')
          expect(await page.locator('main tbody tr').count()).to.equal(1)
          await page.click('main tbody a >> nth=0')
          expect(await main())
            .to.include('Declined: The balance is not sufficient.')
            .and.include('$55.00')
          expect(await page.locator('main a:text-is("Refund")').count()).to.equal(0)
        })

        it('record a dispute, and later that the dispute was won', async () => {
          const id = await pay(64)
          for (const [event, fact] of [
            ['Charged back', 'needs response'],
            ['Won', 'won'],
          ] as const) {
            await visit(`transactions/${id}`)
            await page.click('main a:text("Simulate a dispute")')
            await page.check(`label:has-text("${event}") input`)
            await page.click('main button:text("Continue")')
            await page.waitForSelector('h2:text("What will happen")')
            await page.click('main button[value=do]')
            await page.waitForURL(`**/transactions/${id}`)
            await visit('disputes?order_by=desc(created_at)')
            expect((await rows('#list')).flat().map((cell) => cell.toLowerCase())).to.include(fact)
          }
        })

        it('read a statement that equals the terminal’s to the cent', async () => {
          await visit('reports')
          await page.click('main a:text-is("Statement")')
          await page.fill('[name=from]', '2026-12-01')
          await page.fill('[name=to]', '2027-01-31')
          await page.fill('[name=account]', account)
          await page.click('main button:text-is("Show")')
          await page.waitForURL(/from=2026-12-01/)
          const period = ['--from', '2026-12-01', '--to', '2027-01-31']
          const { stdout } = await payctl(world.place, ['reports', 'statement', ...period, '--json'])
          const report = objectOf(JSON.parse(stdout))
          const columns = listOf(report.columns).map((column) => String(objectOf(column).name))
          const sums = ['amount', 'fee', 'net', 'balance']
          const printed = listOf(report.rows)
            .map(objectOf)
            .map((row) =>
              sums.map((name) => {
                const value = row[name]
                const minor = typeof value === 'number' ? parseMoney(value) : undefined
                return minor === undefined ? '' : moneyWithCurrency(minor)
              }),
            )
          const shown = (await rows('#report')).map((cells) =>
            sums.map((name) => (cells[columns.indexOf(name)] ?? '').replace('–', '').trim()),
          )
          expect(shown).to.deep.equal(printed)
          expect(shown.flat()).to.include('$1,234.50')
        })

        it('export exactly the filtered rows', async () => {
          await visit('transactions?order_by=amount')
          await filterBy('Status', 'processed')
          const shown = await rows('#list')
          const [download] = await Promise.all([
            page.waitForEvent('download'),
            page.click('.pages a:text-is("CSV")'),
          ])
          const [[first = '', ...head] = [], ...exported]: string[][] = parse(
            await text(await download.createReadStream()),
          )
          const columns = [first.slice(1), ...head]
          const at = columns.indexOf('amount')
          const amounts = exported.map((cells) => moneyWithCurrency(parseMoney(cells[at] ?? '') ?? 0))
          expect(amounts).to.deep.equal(shown.map((cells) => cells.find((cell) => cell.includes('$'))))
          expect(amounts).to.include('$1,234.50').and.not.include('$55.00')
          expect(new Set(exported.map((cells) => cells[columns.indexOf('status')]))).to.deep.equal(
            new Set(['processed']),
          )
        })

        it('switch to the same page of the other environment, and back', async () => {
          await visit('transactions?status=processed')
          await page.click('text=Switch to live')
          expect(page.url()).to.include('/console/live/sign-in').and.include('transactions')
          await page.goto(world.service.address + (await world.entry('live')))
          await page.click('main button')
          expect(await page.locator('.environment').innerText()).to.match(/live/i)
          await visit('transactions?status=processed')
          expect(await page.locator('.environment').innerText()).to.include('Test: no money moves')
          expect(await page.title()).to.include('[test]')
        })
      })
  })
}
