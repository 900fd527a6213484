import { expect } from 'chai'
import type { Browser, BrowserContext } from 'playwright-core'
import { openShop } from '../domain/billing/invoices.js'
import { consoleWorld } from '../support/console-world.js'
import { idOf, openCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { httpService } from '../support/http.js'
import { findingsOf } from './accessibility.js'
import { chromium, launch, patient } from './chromium.js'

/** Whether a drawing is SVG, its title, and the boxes of its white and its black part in modules. */
const DRAWN = `
(() => {
  const svg = document.querySelector('svg.qr')
  const box = (name) => { const { x, width } = svg.querySelector(name).getBBox(); return [x, width] }
  return JSON.stringify([svg.namespaceURI, svg.querySelector('title').textContent, box('rect'), box('path')])
})()`

if (chromium !== undefined) {
  describe('a QR code in a browser', () => {
    onSqlite((open) => {
      let browser: Browser
      before(async () => {
        browser = await launch()
      })
      after(() => browser.close())
      const context = async (options = {}): Promise<BrowserContext> =>
        patient(await browser.newContext(options))

      it('of a link is a drawing of its own, with four light modules around it', async () => {
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

      it('of a key stands on the set-up of a second factor, as wide as a phone allows, without a finding', async () => {
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
