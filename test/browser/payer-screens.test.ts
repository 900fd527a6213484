import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { paymentService } from '../../examples/shop-server/payment-service.js'
import { serveShop } from '../../examples/shop-server/serve-shop.js'
import { idOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { chromium, patient } from './chromium.js'
import { type ComponentWorld, componentWorld, typeCard } from './components/component-world.js'
import { checkScreen } from './screens.js'

const PHONE = 390

const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/39', card_code: '987' }

if (chromium !== undefined)
  onSqlite((open) => {
    describe('the screenshots of pages for payers in the docs (PAYCTL_UPDATE_SCREENS=1 renews them) @rest', () => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const visit = async (address: string, width: number): Promise<Page> => {
        const context = await world.browser.newContext({
          viewport: { width, height: 800 },
          colorScheme: 'light',
          locale: 'en-US',
          timezoneId: 'America/New_York',
        })
        const page = patient(await context.newPage())
        const answer = await page.goto(address)
        expect(answer?.status()).to.equal(200)
        return page
      }

      it('show a payment link and the receipt of its payment', async () => {
        const link = { amount: 29.99, description: 'A book', processing_id: world.account }
        const { body } = await world.service.ask(world.key, 'POST', '/payment_links', link)
        const page = await visit(`${world.service.address}/pay/${idOf(body)}`, PHONE)
        const shown = { shownIn: 'payment-links.md', width: PHONE }
        await checkScreen(page, { ...shown, image: 'payer-link', height: 860 })
        const payer = { ...CARD, account_holder: 'Ada Park', postal_code: '10001' }
        for (const [name, value] of Object.entries(payer)) await page.fill(`[name=${name}]`, value)
        await page.click('main button')
        await page.waitForURL('**/receipt/**')
        await checkScreen(page, { ...shown, image: 'payer-receipt', height: 690 })
      })

      it('show the page of a shop with a card field', async () => {
        const service = paymentService(world.service.address, world.key)
        const shop = await serveShop({ name: 'plain-shop', service, port: 0 })
        open.atEnd(() => shop.close())
        // Number, date and code of the card fit in one line.
        const width = 520
        const page = await visit(shop.origin, width)
        await page.click('button:has-text("Order")')
        await typeCard(page)
        await checkScreen(page, { image: 'payer-shop', shownIn: 'components.md', width, height: 380 })
      })
    })
  })
