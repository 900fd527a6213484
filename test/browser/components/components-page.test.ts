import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
import { freePort } from '../../support/postgres-server.js'
import { typedShell } from '../../support/typed-shell.js'
import { chromium, closePages, openBrowser, patient } from '../chromium.js'
import { typeCard } from './component-world.js'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

if (chromium !== undefined)
  onSqlite((open) => {
    describe('the page about components @rest', () => {
      it('leads from an empty home to a captured payment by its commands', async () => {
        const page = await readFile(join(ROOT, 'docs/components.md'), 'utf8')
        const [service, shop] = [await freePort(), await freePort()]
        const words = new Map([
          ['127.0.0.1:4242', `127.0.0.1:${service}`],
          [':4280', `:${shop}`],
        ])
        const variables = { PAYCTL_PORT: String(service), SHOP_PORT: String(shop) }
        const before = async (script: string) => {
          if (script.includes('transactions list')) await buyCoffee(`http://127.0.0.1:${shop}/`)
        }
        const place = await open.place()
        const options = ['-eu']
        let count = 0
        for await (const block of typedShell({
          page,
          place,
          folder: ROOT,
          options,
          variables,
          words,
          before,
        })) {
          count++
          expect(timeless(block.printed), block.script).to.equal(timeless(block.expected))
        }
        expect(count).to.equal(5)
      })
    })
  })

/** Orders one coffee in the example shop and pays it, as the page of the docs describes. */
async function buyCoffee(address: string): Promise<void> {
  const browser = await openBrowser()
  const page = patient(await browser.newPage())
  await page.goto(address)
  await page.click('button:has-text("Order")')
  await typeCard(page)
  await page.click('button:has-text("Pay")')
  await page.locator('#thanks:has-text("is paid")').waitFor()
  await closePages(browser)
}

/** Replaces the hashes of the client script, which differ after each change of the script. */
function timeless(text: string): string {
  return text.replace(/Payload\.[0-9a-f]+\.js/, 'Payload.….js').replace(/sha384-[^"]+/, 'sha384-…')
}
