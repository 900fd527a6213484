import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { findingsOf } from '../accessibility.js'
import { chromium } from '../chromium.js'
import {
  box,
  CARD,
  type ComponentWorld,
  componentWorld,
  eventOf,
  kindsOf,
  typeCard,
} from './component-world.js'

const CARD_FORM = `<label>Amount <input pl-input="amount" value="50.00"></label>
<label for="card">Card</label><div id="card" pl-input="card"></div>`

const SEPARATE = `<input type="hidden" pl-input="amount" value="50.00">
<label for="number">Card number</label><div id="number" pl-input="card_number" placeholder="0000"></div>
<label for="expiry">Expires</label><div id="expiry" pl-input="expiry"></div>
<label for="code">Code</label><div id="code" pl-input="cvc"></div>`

/** Tests secure fields in a plain form of a page that is isolated (see `isIsolated` of the shop’s site). */
if (chromium !== undefined) {
  describe('secure fields of a plain form @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const visit = async ({ inputs = CARD_FORM, options = '', after = '' } = {}) => {
        const key = await world.clientKey({ payment_form: { payment: { processing_id: world.account } } })
        return await world.visit({
          isIsolated: true,
          body: `<form pl-form="payment">${inputs}<button>Pay</button></form>${after}`,
          script: `Payload('${key}')
            window.form = new Payload.Form({ form: document.querySelector('form'), autosubmit: false, ${options} })
            for (const name of FORM) form.on(name, note)`,
        })
      }
      const payment = async (id: unknown) =>
        (await world.service.ask(world.key, 'GET', `/transactions/${id}`)).body

      it('appear in elements that the page adds later, and are dropped with removed elements', async () => {
        const page = await visit()
        await typeCard(page)
        await page.evaluate(`(() => {
          document.querySelector('#card').remove()
          for (const name of ['card_number', 'expiry', 'cvc']) {
            const added = document.createElement('div')
            added.setAttribute('pl-input', name)
            document.querySelector('form').prepend(added)
          }
        })()`)
        await box(page, 'card_number').pressSequentially(CARD.number)
        await box(page, 'expiry').pressSequentially(CARD.expiry)
        await box(page, 'cvc').pressSequentially(CARD.code)
        await page.click('button')
        await eventOf(page, 'processed')
      })

      it('use the parameters of the form at the time it is sent', async () => {
        const page = await visit({ options: "payment: { order_number: 'A-1' }" })
        await page.evaluate(`form.params.payment = { order_number: 'A-2', description: 'Later' }`)
        await typeCard(page)
        await page.click('button')
        const { transaction_id: id } = await eventOf(page, 'processed')
        expect(await payment(id)).to.include({ order_number: 'A-2', description: 'Later' })
      })

      it('report a wrong value when it loses the focus, and that it is valid after its correction', async () => {
        const page = await visit()
        await box(page, 'card', 'cc-exp').fill('01/20')
        await page.click('h1')
        expect(await eventOf(page, 'invalid')).to.deep.equal({
          type: 'invalid',
          message: 'This card has expired',
          target: 'card',
        })
        await page.waitForSelector('#card.pl-invalid')
        await box(page, 'card', 'cc-exp').fill('01/49')
        await page.waitForSelector('#card:not(.pl-invalid)')
        expect(await eventOf(page, 'valid')).to.include({ target: 'card' })
      })

      it("show errors of the service at the page's own inputs", async () => {
        const page = await visit({ inputs: CARD_FORM.replace('50.00', '-3') })
        await typeCard(page)
        await page.click('button')
        const { details } = await eventOf(page, 'error')
        expect(objectOf(details).amount).to.be.a('string')
        expect(await eventOf(page, 'invalid')).to.include({ target: 'amount' })
        expect(await page.getAttribute('[pl-input=amount]', 'aria-invalid')).to.equal('true')
      })

      it('make no payment with a key deleted while the page was open, and report the reason', async () => {
        const page = await visit({ inputs: CARD_FORM.replace('50.00', '50.01') })
        await typeCard(page)
        const key = String(await page.evaluate('form.key'))
        await world.service.ask(world.key, 'DELETE', `/access_tokens/${key}`)
        await page.click('button')
        expect(await eventOf(page, 'error')).to.include({ error_type: 'Unauthorized' })
        expect(await world.payments(50.01)).to.deep.equal([])
      })

      it('report refusals of the service without the typed number', async () => {
        const bank = `<input type="hidden" pl-input="amount" value="50.00">
          <div pl-input="account_number" aria-label="Account"></div><div pl-input="routing_number" aria-label="Routing"></div>`
        const page = await visit({ inputs: bank })
        const number = '98765432109876543210987'
        await box(page, 'account_number').fill(number)
        await box(page, 'routing_number').fill('110000000')
        await page.click('button')
        await eventOf(page, 'error')
        const all = String(await page.evaluate('JSON.stringify(events)'))
        expect(all).to.include('account_number')
        for (const digits of [number.slice(0, 6), number.slice(-6), '1100'])
          expect(all).to.not.include(digits)
      })

      it('are emptied when the form is reset', async () => {
        const page = await visit()
        await typeCard(page)
        await page.evaluate(`document.querySelector('form').reset()`)
        await eventOf(page, 'change')
        await page.evaluate('until(({ type, empty }) => type === "change" && empty)')
        for (const name of ['cc-number', 'cc-exp', 'cc-csc'])
          expect(await box(page, 'card', name).inputValue()).to.equal('')
      })

      it('do not send the form on Enter if the page forbids it', async () => {
        const page = await visit({ options: 'preventSubmitOnEnter: true' })
        await typeCard(page)
        await box(page, 'card', 'cc-csc').press('Enter')
        await page.press('[pl-input=amount]', 'Enter')
        await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
        expect(await kindsOf(page)).to.not.include('processing')
      })

      it('belong to their own form if a page has two', async () => {
        const second = CARD_FORM.replaceAll('"card"', '"other"').replace(
          'pl-input="other"',
          'pl-input="card"',
        )
        const page = await visit({ after: `<form pl-form="payment">${second}</form>` })
        await page.evaluate(
          `window.other = new Payload.Form({ form: document.querySelectorAll('form')[1], autosubmit: false })`,
        )
        const boxes = page.locator('#card iframe').contentFrame()
        await boxes.locator('[name=card_number]').pressSequentially(CARD.number)
        await boxes.locator('[name=expiry]').pressSequentially(CARD.expiry)
        await boxes.locator('[name=card_code]').pressSequentially(CARD.code)
        const refused = await page.evaluate(
          'other.submit().catch(({ data }) => data.details["payment_method[card][card_number]"])',
        )
        expect(refused).to.equal('Fill this in')
        await page.click('button')
        await eventOf(page, 'processed')
      })

      it('support keyboard, screen readers and autofill if each has its own frame', async () => {
        const page = await visit({ inputs: SEPARATE })
        for (const [field, autocomplete, label] of [
          ['card_number', 'cc-number', 'Card number'],
          ['expiry', 'cc-exp', 'Expires'],
          ['cvc', 'cc-csc', 'Code'],
        ] as const) {
          const frame = page.locator(`[pl-input=${field}] iframe`).contentFrame()
          await frame.locator(`input[autocomplete=${autocomplete}][aria-label="${label}"]`).waitFor()
          expect(await page.getAttribute(`[pl-input=${field}] iframe`, 'title')).to.equal(label)
        }
        expect(await findingsOf(page)).to.deep.equal([])
        expect(await box(page, 'card_number').getAttribute('placeholder')).to.equal('0000')
        await page.click('label[for=number]')
        await page.waitForSelector('#number.pl-focus')
        await page.keyboard.type(CARD.number)
        await page.keyboard.press('Tab')
        await page.waitForSelector('#expiry.pl-focus')
        await page.keyboard.type(CARD.expiry)
        await page.keyboard.press('Enter')
        await page.waitForSelector('#code.pl-focus')
        await page.keyboard.type(CARD.code)
        await page.keyboard.press('Enter')
        await eventOf(page, 'processed')
      })

      it('come from a script that keeps an existing Payload of the page, and is also named Payctl', async () => {
        const page = await world.visit({ first: 'window.Payload = () => "taken"\n' })
        expect(await page.evaluate('[Payload(), typeof Payctl.Form, Payctl.api_url]')).to.deep.equal([
          'taken',
          'function',
          `${world.service.address}/`,
        ])
      })

      it('violate no content security policy of the page or of their frames', () => {
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
