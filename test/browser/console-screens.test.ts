import { expect } from 'chai'
import type { FastifyInstance } from 'fastify'
import type { Browser, Page } from 'playwright-core'
import { payctl } from '../cli/commands/payctl.js'
import { consoleServer } from '../support/console.js'
import { idOf, listOf, objectOf, openCore, type TestCore, valuesOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { eachCase } from '../support/each-case.js'
import { makeProcessing, pay } from '../support/examples.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'
import { checkScreen, IS_UPDATE } from './screens.js'

const WIDTH = 1280

/** A screenshot in docs/console.md, and the page of the console that it shows. */
interface ConsoleScreen {
  readonly image: string
  readonly height: number
  /** Path below the environment; `:refunded` and `:paid` stand for the ids of the newest such payments. */
  readonly path: string
  /** Actions on the page before the screenshot. */
  readonly act?: (page: Page) => Promise<void>
}

const SCREENS: readonly ConsoleScreen[] = [
  { image: 'console-home', height: 1100, path: '' },
  { image: 'console-transactions', height: 800, path: 'transactions?type=payment&amount=%3E%3D50' },
  { image: 'console-transaction', height: 1100, path: 'transactions/:refunded' },
  {
    image: 'console-refund',
    height: 760,
    path: 'transactions/:paid/refund',
    act: async (page) => {
      await page.fill('[name=amount]', '20')
      await page.fill('[name=reason]', 'Came back')
      await page.click('main button:text-is("Continue")')
      await page.waitForSelector('text=What will happen')
    },
  },
  { image: 'console-report', height: 1000, path: 'reports/summary' },
]

if (chromium !== undefined)
  onSqlite((open) => {
    describe('the screenshots in docs/console.md (PAYCTL_UPDATE_SCREENS=1 renews them) @rest', () => {
      let core: TestCore
      let server: FastifyInstance
      let browser: Browser
      let address: string
      const ids = { refunded: '', paid: '' }

      before(async () => {
        core = await openCore(open)
        if (IS_UPDATE) expect((await payctl(core.place, ['demo', '--json'])).exitCode).to.equal(0)
        else {
          const processing = await makeProcessing(core)
          const ledger = [{ assoc_transaction_id: idOf(await pay(core, processing, 60)) }]
          await core.ok('POST', '/transactions', { type: 'refund', amount: 20, ledger })
          await pay(core, processing, 80)
        }
        const newest = async (query: string) =>
          objectOf(valuesOf(await core.ok('GET', '/transactions', undefined, { query }))[0])
        const refund = await newest('type=refund&fields=ledger&limit=1')
        ids.paid = idOf(await newest('type=payment&status=processed&fields=id&limit=1'))
        ids.refunded = String(objectOf(listOf(refund['ledger'])[0])['assoc_transaction_id'])
        server = consoleServer(core.app, { name: 'Mara Lind' })
        address = await server.listen({ host: '127.0.0.1', port: 0 })
        browser = await openBrowser()
      })
      after(async () => {
        await closePages(browser)
        await server.close()
      })

      it('show existing pages, are small files, and have an alternative text', async () => {
        const context = await browser.newContext({ timezoneId: 'America/New_York' })
        const page = patient(await context.newPage())
        await eachCase(
          SCREENS,
          ({ image }) => image,
          async ({ image, height, path, act }) => {
            const found = path.replace(':refunded', ids.refunded).replace(':paid', ids.paid)
            const answer = await page.goto(`${address}/console/test/${found}`)
            expect(answer?.status()).to.equal(200)
            await act?.(page)
            await checkScreen(page, { image, shownIn: 'console.md', width: WIDTH, height })
          },
        )
        await context.close()
      })
    })
  })
