import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { paymentService } from '../../../examples/shop-server/payment-service.js'
import { type Shop, serveShop } from '../../../examples/shop-server/serve-shop.js'
import { onSqlite } from '../../support/databases.js'
import { findingsOf } from '../accessibility.js'
import { chromium, patient } from '../chromium.js'
import { box, CARD, type ComponentWorld, componentWorld, DECLINED, typeCard } from './component-world.js'

/** Tests the example shops in a browser, like a customer. */
if (chromium !== undefined)
  for (const [index, name] of (['plain-shop', 'react-shop'] as const).entries())
    describe(`the example ${name}, in a browser @rest`, () => {
      onSqlite((open) => {
        let world: ComponentWorld
        let shop: Shop
        const complaints: string[] = []

        before(async () => {
          world = await componentWorld(open)
          const service = paymentService(world.service.address, world.key)
          shop = await serveShop({ name, service, port: 0 })
          open.atEnd(() => shop.close())
        })

        const visit = async (): Promise<Page> => {
          const page = patient(await (await world.browser.newContext()).newPage())
          page.on('pageerror', (error) => complaints.push(error.message))
          page.on('console', (message) => {
            if (message.type() === 'error' && !message.text().includes('status of 4'))
              complaints.push(message.text())
          })
          await page.goto(shop.origin)
          return page
        }
        /** Orders mugs. Each test uses another quantity, so the returned amount identifies its payments. */
        const order = async (page: Page, quantity: number): Promise<number> => {
          await page.selectOption('#item', 'mug')
          await page.fill('#quantity', String(quantity))
          await page.click('button:has-text("Order")')
          await page.locator(`text=${quantity} × mug`).waitFor()
          return (quantity * 850) / 100
        }
        const thanks = (page: Page) => page.locator('#thanks:has-text("is paid")')
        const pay = 'button:has-text("Pay")'

        it('takes an order, and a payment that its server captures', async () => {
          const page = await visit()
          expect(await findingsOf(page)).to.deep.equal([])
          const amount = await order(page, 1 + index)
          await typeCard(page)
          expect(await findingsOf(page)).to.deep.equal([])
          await page.click(pay)
          await thanks(page).waitFor()
          expect(await findingsOf(page)).to.deep.equal([])
          const [payment, ...others] = await world.payments(amount)
          expect(payment).to.include({ status: 'processed', processing_id: world.account })
          expect(others).to.deep.equal([])
          await page.reload()
          await thanks(page).waitFor()
        })

        it('reports a declined card, and accepts another card', async () => {
          const page = await visit()
          const amount = await order(page, 3 + index)
          await typeCard(page, DECLINED)
          await page.click(pay)
          await page.locator('[role=alert]:has-text("declined")').waitFor()
          expect(await findingsOf(page)).to.deep.equal([])
          await box(page, 'card', 'cc-number').fill('')
          await box(page, 'card', 'cc-number').pressSequentially(CARD.number)
          await page.click(pay)
          await thanks(page).waitFor()
          const statuses = (await world.payments(amount)).map(({ status }) => status)
          expect(statuses).to.have.members(['declined', 'processed'])
        })

        it('keeps an unpaid order when its page is reloaded', async () => {
          const page = await visit()
          const amount = await order(page, 5 + index)
          await page.reload()
          await typeCard(page)
          await page.click(pay)
          await thanks(page).waitFor()
          expect(await world.payments(amount)).to.have.length(1)
        })

        it('takes one payment if two windows pay the same order', async () => {
          const page = await visit()
          const amount = await order(page, 7 + index)
          const other = await page.context().newPage()
          await other.goto(page.url())
          for (const each of [page, other]) await typeCard(each)
          await page.click(pay)
          await thanks(page).waitFor()
          await other.click(pay)
          await other.locator('[role=alert]:has-text("paid already")').waitFor()
          const statuses = (await world.payments(amount)).map(({ status }) => status)
          expect(statuses).to.have.members(['processed', 'voided'])
        })

        it('takes a new order if it does not know the order in the address', async () => {
          const page = await visit()
          await page.goto(`${shop.origin}/?order=A-1`)
          await order(page, 9 + index)
          await page.locator('text=Pay').waitFor()
        })

        it('violates none of its content security policies', () => {
          expect(complaints).to.deep.equal([])
        })
      })
    })
