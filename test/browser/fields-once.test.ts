import { expect } from 'chai'
import { onSqlite } from '../support/databases.js'
import { chromium } from './chromium.js'
import { countOf, DECLINED, type FieldsWorld, fieldsWorld, fillCard, seen } from './fields-world.js'

/** Double clicks, lost answers and reloads in a page with secure fields. */
if (chromium !== undefined) {
  describe('a payment through secure fields is made once', () => {
    onSqlite((open) => {
      let world: FieldsWorld
      before(async () => {
        world = await fieldsWorld(open)
      })
      after(() => world.close())
      beforeEach(() => world.renew())

      it('pays once for a double click, and for a second submission after the first', async () => {
        const before = (await world.payments()).length
        const page = await world.visit()
        await fillCard(page)
        await page.dblclick('button')
        const { transaction_id: id } = await seen(page, 'success')
        expect(await page.evaluate('form.submit()')).to.deep.equal({ transaction_id: id })
        expect((await world.payments()).length).to.equal(before + 1)
        expect(await countOf(page, 'success')).to.equal(1)
      })

      it('pays once when the answer is lost', async () => {
        const before = (await world.payments()).length
        const page = await world.visit()
        const loses = [true, true, false]
        await page.route('**/transactions', async (route) => {
          if (!loses.shift()) return await route.continue()
          await route.fetch()
          await route.abort()
        })
        await fillCard(page)
        await page.click('button')
        await seen(page, 'processed')
        expect((await world.payments()).length).to.equal(before + 1)
      })

      it('pays once when the page is reloaded before the answer', async () => {
        const before = (await world.payments()).length
        const page = await world.visit()
        let arrived: () => void = () => undefined
        const arrival = new Promise<void>((resolve) => {
          arrived = resolve
        })
        let isFirst = true
        await page.route('**/transactions', async (route) => {
          if (!isFirst) return await route.continue()
          isFirst = false
          await route.fetch()
          arrived()
        })
        await fillCard(page)
        await page.click('button')
        await arrival
        await page.reload()
        await fillCard(page)
        await page.click('button')
        await seen(page, 'processed')
        expect((await world.payments()).length).to.equal(before + 1)
      })

      it('hands the same id to the server of the shop when the payer goes back and pays again', async () => {
        const before = (await world.payments()).length
        world.form.options = ''
        const page = await world.visit()
        await fillCard(page)
        await page.evaluate(
          `HTMLFormElement.prototype.submit = function () { (window.sent ??= []).push(new FormData(this).get('pl_transaction_id')) }`,
        )
        for (const _ of [1, 2]) await page.evaluate('form.submit()')
        const [first, second, ...more]: string[] = await page.evaluate('sent')
        expect([second, more]).to.deep.equal([first, []])
        expect((await world.payments()).length).to.equal(before + 1)
      })

      it('takes another card after a lost answer only if the first one was not charged', async () => {
        const page = await world.visit()
        let isFirst = true
        await page.route('**/transactions', async (route) => {
          if (isFirst) await route.fetch()
          await route.abort()
        })
        const before = (await world.payments()).length
        await fillCard(page, { card_number: DECLINED })
        expect(await page.evaluate(`form.submit().catch(({ data }) => data.error_type)`)).to.equal(
          'ServiceUnavailable',
        )
        isFirst = false
        await page.unroute('**/transactions')
        await fillCard(page)
        await page.click('button')
        await seen(page, 'processed')
        const made = (await world.payments()).slice(0, 2).map(({ status }) => status)
        expect(made.toSorted()).to.deep.equal(['declined', 'processed'])
        expect((await world.payments()).length).to.equal(before + 2)
      })
    })
  })
}
