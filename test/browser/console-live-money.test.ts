import { expect } from 'chai'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { LiveShop } from '../domain/settlements/live-shop.js'
import { consoleServer } from '../support/console.js'
import { idOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { CONTRAST, findingsOf } from './accessibility.js'
import { chromium, closePages, openBrowser, patient } from './chromium.js'

const DESK = { viewport: { width: 1280, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Tests console pages about live money (gateways, payouts, disputes, exceptions) after a payout has failed. */
if (chromium !== undefined) {
  describe('live money in the console, in a browser @rest', () => {
    onSqlite((open) => {
      let shop: LiveShop
      let browser: Browser
      let address: string
      let reversal: string
      let deposit: string
      let failedPayment: string

      before(async () => {
        shop = await LiveShop.open(open)
        const account = await shop.account('gateway')
        await shop.pay(account, 20)
        const { books } = shop.server
        const { id } = books.createMethod(new Map([['type', 'card']]))
        books.createIntent(
          new Map([
            ['payment_method', id],
            ['allowed_payment_method_types[0]', 'card'],
            ['amount', '3000'],
            ['metadata[shop]', 'another'],
          ]),
        )
        await shop.settle((lines, payout) => [...lines, shop.payouts.stray(payout, 'adjustment', -150)])
        const [failed] = shop.server.payouts
        if (!failed) throw new Error('There is no payout')
        Object.assign(failed, { status: 'failed', failure_code: 'account_closed' })
        await shop.say('payout.failed', failed)
        await shop.dispute(await shop.pay(account, 40))
        await shop.ok('POST', `/admin/gateways/${shop.gatewayId}/test`)
        const answer = await shop.send('POST', '/transactions', {
          type: 'payment',
          amount: 10,
          processing_id: account,
          payment_method: { type: 'card', card: { card_number: '4000000000000002', expiry: '12/39' } },
        })
        failedPayment = String((await shop.list('/transactions', 'status=declined'))[0]?.id ?? answer.status)
        const moved = await shop.list('/transactions', 'type=deposit|reversal&order_by=id')
        deposit = idOf(moved.find(({ type }) => type === 'deposit') ?? {})
        reversal = idOf(moved.find(({ type }) => type === 'reversal') ?? {})
        const server = consoleServer(shop.core.app)
        address = await server.listen({ port: 0 })
        open.atEnd(() => server.close())
        browser = await openBrowser()
        open.atEnd(() => closePages(browser))
      })

      const visit = async (path: string, options: BrowserContextOptions) => {
        const page = patient(await (await browser.newContext(options)).newPage())
        const answer = await page.goto(`${address}/console/live/${path}`)
        expect(answer?.status(), path).to.equal(200)
        return page
      }
      const pages = () =>
        [
          ['home', '', ['did not arrive', 'for an answer']],
          [
            'gateway',
            `settings/gateways/${shop.gatewayId}`,
            ['It takes payments', 'What the last test has found'],
          ],
          ['first-payment', `settings/gateways/${shop.gatewayId}/first-payment`, ['Routed', 'Settled']],
          [
            'deposit',
            `deposits/${deposit}`,
            ['account_closed', 'Of others at the same account', '$30.00 in 1 line'],
          ],
          ['reversal', `deposits/${reversal}`, ['account_closed', 'Taken back', 'Unexplained']],
          ['exceptions', 'exceptions', ['Decide many alike']],
          ['alike', 'exceptions/resolve?kind=settlement_differs', ['At stake together']],
          ['disputes', 'disputes', ['needs response']],
          ['declined', `transactions/${failedPayment}`, ['Declined']],
        ] as const

      for (const [title, options] of [
        ['at a desk', DESK],
        ['on a phone', PHONE],
      ] as const)
        it(`is shown completely and accessibly ${title}`, async () => {
          for (const [name, path, words] of pages()) {
            const page = await visit(path, options)
            const text = await page.innerText('main')
            for (const word of words) expect(text, name).to.include(word)
            expect(await findingsOf(page), name).to.deep.equal([])
            const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
            expect(wide, `${name} scrolls to the side`).to.equal(0)
            await page.emulateMedia({ colorScheme: 'dark' })
            expect(await findingsOf(page, CONTRAST), `${name}, dark`).to.deep.equal([])
            await page.context().close()
          }
        })

      it('guides through a first payment, and creates its payment page once', async () => {
        const page = await visit(`settings/gateways/${shop.gatewayId}`, DESK)
        await page.click('main a:text("First payment")')
        expect(await page.innerText('main')).to.include('Its page is made when you go on')
        await page.click('main button:text("Go on")')
        await page.waitForSelector('.ticks a')
        expect(await page.innerText('.ticks')).to.include('Pay 1.00 at ')
        await page.click('main button:text("Go on")')
        await page.waitForSelector('.ticks a')
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await shop.list('/payment_links')).to.have.lengthOf(1)
      })

      it('lets operators resolve all exceptions of a kind at once, after a preview of each', async () => {
        const page = await visit('exceptions?status=open&kind=settlement_differs', DESK)
        await page.click('main a:text("Decide many alike")')
        await page.click('label:has-text("Book a cost")')
        await page.fill('[name=reason]', 'Fee of a dispute')
        await page.click('main button:text("Continue")')
        await page.waitForSelector('h2:text("What will happen")')
        expect(await findingsOf(page)).to.deep.equal([])
        await page.click('main button:text("Book a cost: 1")')
        await page.waitForSelector('h1:text("1 of 1 exceptions are decided")')
        expect(await findingsOf(page)).to.deep.equal([])
        const [raised] = await shop.list('/admin/exceptions', 'kind=settlement_differs')
        expect(raised).to.include({ status: 'resolved', resolution: 'cost' })
      })
    })
  })
}
