import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type ConsoleWorld, consoleWorld, EMAIL, PASSWORD } from '../support/console-world.js'
import { onSqlite } from '../support/databases.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/** Tests how operators enter the console in a browser, and how a page of another site attacks it. */
if (chromium !== undefined) {
  describe('the console in a browser @rest', () => {
    onSqlite((open) => {
      let world: ConsoleWorld
      let browser: Browser
      let stranger: Server
      let pageOfStranger = ''
      before(async () => {
        world = await consoleWorld(open)
        browser = await openBrowser()
        stranger = createServer((_request, response) => {
          response.setHeader('content-type', 'text/html').end(pageOfStranger)
        })
        await once(stranger.listen(0, '127.0.0.1'), 'listening')
      })
      after(async () => {
        await closePages(browser)
        stranger.close()
      })
      const context = async (options = {}): Promise<BrowserContext> =>
        patient(await browser.newContext(options))
      const enter = async (visitor: BrowserContext, path = ''): Promise<Page> => {
        const page = await visitor.newPage()
        await page.goto(world.service.address + (await world.entry()) + path)
        await page.getByRole('button', { name: 'Enter' }).click()
        return page
      }
      /** Opens a page of another site: for browsers, `localhost` and `127.0.0.1` are different sites. */
      const strange = async (visitor: BrowserContext, html: string): Promise<Page> => {
        pageOfStranger = html
        const address = stranger.address()
        const page = await visitor.newPage()
        await page.goto(`http://localhost:${isAddress(address) ? address.port : 0}/`)
        return page
      }

      it('can be entered by a code, and by password and second factor, also without scripts', async () => {
        for (const javaScriptEnabled of [true, false]) {
          const visitor = await context({ javaScriptEnabled })
          const page = await enter(visitor)
          await page.getByText('Ada Park').waitFor()
          await page.goto(`${world.service.address}/console/test/set-up`)
          const key = (await page.locator('code').innerText()).replaceAll(' ', '')
          await page.getByLabel('New password').fill(PASSWORD)
          await page.getByLabel('Six-digit code').fill(world.code(key))
          await page.getByRole('button', { name: 'Set them' }).click()
          await page.getByRole('button', { name: 'Sign out' }).click()
          world.clock.ahead += 60_000
          await page.getByLabel('E-mail address').fill(EMAIL)
          await page.getByLabel('Password').fill(PASSWORD)
          await page.getByLabel('Six-digit code').fill(world.code(key))
          await page.getByRole('button', { name: 'Sign in' }).click()
          await page.getByText('Ada Park').waitFor()
          expect(new URL(page.url()).pathname).to.equal('/console/test/')
          await visitor.close()
        }
      })

      it('sends its origin with each form, which identifies forms of browsers without Sec-Fetch-Site', async () => {
        const visitor = await context()
        const page = await visitor.newPage()
        await page.goto(world.service.address + (await world.entry()))
        const [posted] = await Promise.all([
          page.waitForRequest((request) => request.method() === 'POST'),
          page.getByRole('button', { name: 'Enter' }).click(),
        ])
        expect(await posted.headerValue('origin')).to.equal(world.service.address)
        await visitor.close()
      })

      it('has accessible forms for entry, sign-in and set-up', async () => {
        const visitor = await context()
        const page = await visitor.newPage()
        await page.goto(`${world.service.address}/console/test/sign-in`)
        expect(await findingsOf(page)).to.deep.equal([])
        await page.goto(world.service.address + (await world.entry()))
        expect(await findingsOf(page)).to.deep.equal([])
        await page.getByRole('button', { name: 'Enter' }).click()
        await page.goto(`${world.service.address}/console/test/set-up`)
        expect(await findingsOf(page)).to.deep.equal([])
        await visitor.close()
      })

      it('cannot be framed or posted to by a page of another site, but opens from its links', async () => {
        const visitor = await context()
        const own = await enter(visitor)
        await own.getByText('Ada Park').waitFor()
        const token = await own.locator('input[name=form_token]').first().getAttribute('value')
        const { address } = world.service
        const attack = await strange(
          visitor,
          `<form method="post" action="${address}/console/test/sign-out">
<input name="form_token" value="${token}"><button>Win</button></form>
<iframe src="${address}/console/test/"></iframe><a href="${address}/console/test/transactions">Look</a>`,
        )
        const framed = attack.frames().map((frame) => frame.url())
        expect(framed).to.have.lengthOf(2)
        expect(framed.filter((url) => url.startsWith(address))).to.deep.equal([])
        await attack.getByRole('button', { name: 'Win' }).click()
        await attack.getByRole('heading', { name: 'Sign in' }).waitFor()
        await own.reload()
        await own.getByText('Ada Park').waitFor()
        const linked = await strange(visitor, `<a href="${address}/console/test/transactions">Look</a>`)
        await linked.getByRole('link', { name: 'Look' }).click()
        await linked.getByRole('link', { name: 'Go on' }).click()
        await linked.getByText('Ada Park').waitFor()
        expect(new URL(linked.url()).pathname).to.equal('/console/test/transactions')
        await visitor.close()
      })
    })
  })
}

function isAddress(address: string | AddressInfo | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
