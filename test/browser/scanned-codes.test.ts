import { expect } from 'chai'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { bill, openShop } from '../domain/billing/invoices.js'
import { consoleWorld } from '../support/console-world.js'
import { idOf, openCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { httpService } from '../support/http.js'
import { readSeenCode } from '../support/read-qr-code.js'
import { findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

/**
 * Script that returns the namespace and title of a drawn code, and the position and width of its white and its
 * black part in modules.
 */
const DRAWN = `
(() => {
  const svg = document.querySelector('svg.qr')
  const box = (name) => { const { x, width } = svg.querySelector(name).getBBox(); return [x, width] }
  return JSON.stringify([svg.namespaceURI, svg.querySelector('title').textContent, box('rect'), box('path')])
})()`

/** Reads the modules of a code from its screenshot, by the brightness in the middle of each. */
async function modulesIn(page: Page, picture: Buffer, size: number): Promise<boolean[][]> {
  const seen = await page.evaluate(`(async () => {
    const answer = await fetch('data:image/png;base64,${picture.toString('base64')}')
    const image = await createImageBitmap(await answer.blob())
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context.drawImage(image, 0, 0)
    const middle = (index, length) => Math.floor(((index + 0.5) * length) / ${size})
    const isDark = (x, y) =>
      context.getImageData(middle(x, image.width), middle(y, image.height), 1, 1).data[0] < 128
    const line = [...Array(${size}).keys()]
    return JSON.stringify(line.map((y) => line.map((x) => isDark(x, y))))
  })()`)
  return JSON.parse(String(seen))
}

if (chromium !== undefined) {
  describe('a QR code in a browser @rest', () => {
    onSqlite((open) => {
      let browser: Browser
      before(async () => {
        browser = await openBrowser()
      })
      after(() => closePages(browser))
      const context = async (options = {}): Promise<BrowserContext> =>
        patient(await browser.newContext(options))

      it('of a payment link is an SVG file, with a border of four light modules', async () => {
        const core = await openCore(open)
        const { processing } = await openShop(core)
        const link = idOf(await core.ok('POST', '/payment_links', { amount: 5, processing_id: processing }))
        const service = await httpService(core.place)
        open.atEnd(() => service.stop())
        const page = await (await context()).newPage()
        await page.goto(`${service.address}/pay/${link}.qrcode.svg`)
        const [space, title, [left, width], [first, dark]] = JSON.parse(await page.evaluate(DRAWN))
        expect([space, title]).to.deep.equal(['http://www.w3.org/2000/svg', 'Pay Park Books'])
        expect([left, first]).to.deep.equal([0, 4])
        expect(dark).to.equal(width - 8)
      })

      it('of a payment link appears on its printed invoice, readable for a camera, but not on the screen', async () => {
        const core = await openCore(open)
        const shop = await openShop(core)
        const invoice_id = idOf(await bill(shop, [20]))
        const link = idOf(await core.ok('POST', '/payment_links', { invoice_id }))
        const service = await httpService(core.place)
        open.atEnd(() => service.stop())
        const { url } = await core.ok('GET', `/invoices/${invoice_id}`, undefined, { query: 'fields=url' })
        const { pathname, search } = new URL(String(url))
        const visitor = await context({ deviceScaleFactor: 2, colorScheme: 'dark' })
        const page = await visitor.newPage()
        await page.goto(service.address + pathname + search)
        const code = page.locator('svg.qr')
        expect(await code.isVisible()).to.equal(false)
        await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
        const picture = await code.screenshot()
        const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2])
        const modules = await modulesIn(await visitor.newPage(), picture, size)
        expect(readSeenCode(modules)).to.equal(`${service.address}/pay/${link}`)
      })

      it('of a key fits the page that sets up a second factor, even on a phone, and is accessible', async () => {
        const world = await consoleWorld(open)
        for (const colorScheme of ['light', 'dark']) {
          const visitor = await context({ viewport: { width: 320, height: 640 }, colorScheme })
          const page = await visitor.newPage()
          await page.goto(world.service.address + (await world.entry()))
          await page.getByRole('button', { name: 'Enter' }).click()
          await page.goto(`${world.service.address}/console/test/set-up`)
          const box = await page.getByRole('img', { name: 'QR code of the key' }).boundingBox()
          expect(box?.width).to.be.within(180, 320)
          expect(box?.height).to.equal(box?.width)
          expect(await findingsOf(page)).to.deep.equal([])
          await visitor.close()
        }
      })
    })
  })
}
