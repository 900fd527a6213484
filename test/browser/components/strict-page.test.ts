import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { onSqlite } from '../../support/databases.js'
import { findingsOf } from '../accessibility.js'
import { chromium } from '../chromium.js'
import {
  box,
  CARD,
  type ComponentWorld,
  componentWorld,
  DECLINED,
  digitsIn,
  eventOf,
  eventWhere,
  showing,
  typeCard,
} from './component-world.js'

/** Values of `autocomplete` of the text boxes in the input `card`. */
const CARD_BOXES = ['cc-number', 'cc-exp', 'cc-csc'] as const

/**
 * Tests a page whose content security policy allows only the service, with keyboard, screen reader attributes
 * and autofill.
 */
if (chromium !== undefined) {
  describe('an accessible form with secure inputs @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      const visit = async (amount: number, inputs = "h(shop.Card, { id: 'card' }),", options = {}) => {
        const key = await world.clientKey({
          payment_form: { payment: { amount, processing_id: world.account } },
        })
        return await world.visit(
          {
            script:
              showing(`h(shop.PaymentForm, { clientToken: '${key}', autoSubmit: false, ...noting(...FORM) },
              h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '${amount.toFixed(2)}' }),
              h('label', { htmlFor: 'name' }, 'Name on the card'),
              h(shop.PayloadInput, { attr: 'account_holder', id: 'name', autoComplete: 'cc-name' }),
              h('label', { htmlFor: 'card' }, 'Card'), ${inputs}
              h('button', { type: 'submit' }, 'Pay'))`),
          },
          options,
        )
      }
      const ready = async (page: Page) => await box(page, 'card', 'cc-csc').waitFor()
      const pay = 'button:has-text("Pay")'
      /** Waits until a text box has the focus, because another process than that of the page shows it. */
      const focused = async (page: Page, name: (typeof CARD_BOXES)[number]) =>
        await page.locator('#card iframe').contentFrame().locator(`[autocomplete="${name}"]:focus`).waitFor()

      it('takes a payment by keyboard alone: Tab moves through the frames, Enter pays', async () => {
        const page = await visit(40.01)
        await ready(page)
        await page.focus('#name')
        await page.keyboard.type('Ada Park')
        await page.keyboard.press('Tab')
        await focused(page, 'cc-number')
        await page.keyboard.type(CARD.number)
        await page.keyboard.press('Tab')
        await page.keyboard.type(CARD.expiry)
        await page.keyboard.press('Tab')
        await page.keyboard.type(CARD.code)
        await page.keyboard.press('Tab')
        await page.locator(`${pay}:focus`).waitFor()
        await page.keyboard.press('Shift+Tab')
        await focused(page, 'cc-csc')
        await page.keyboard.press('Enter')
        await eventOf(page, 'processed')
        const [payment] = await world.payments(40.01)
        expect(payment).to.include({ status: 'processed' })
      })

      it('moves the focus to a text box when its label is clicked', async () => {
        const page = await visit(40.02)
        await ready(page)
        await page.click('label[for=card]')
        await focused(page, 'cc-number')
        await page.keyboard.type('4242')
        expect(await box(page, 'card', 'cc-number').inputValue()).to.equal('4242')
      })

      it('names each text box and each frame for screen readers', async () => {
        const page = await visit(40.03)
        await ready(page)
        const frame = page.locator('#card iframe')
        expect(await frame.getAttribute('title')).to.match(/card/i)
        const boxes = frame.contentFrame()
        for (const name of [/number/i, /expir/i, /code/i])
          expect(await boxes.getByRole('textbox', { name }).count(), String(name)).to.equal(1)
        const hidden = page.locator('iframe:not([pl-input] iframe)')
        for (const each of await hidden.all())
          expect([await each.getAttribute('title'), await each.getAttribute('aria-hidden')]).to.satisfy(
            ([title, isHidden]: [string | null, string | null]) => title || isHidden === 'true',
          )
      })

      it('marks an invalid text box, and removes the mark after a correction', async () => {
        const page = await visit(40.04)
        await box(page, 'card', 'cc-number').pressSequentially('4242424242424241')
        await page.click(pay)
        await eventOf(page, 'invalid')
        const number = box(page, 'card', 'cc-number')
        expect(await number.getAttribute('aria-invalid')).to.equal('true')
        expect(await findingsOf(page)).to.deep.equal([])
        await number.fill('')
        await number.pressSequentially(CARD.number)
        await box(page, 'card', 'cc-exp').focus()
        expect(await number.getAttribute('aria-invalid')).to.not.equal('true')
      })

      it('has no accessibility problem, empty or filled in, light or dark, on a desktop or phone', async () => {
        const phone = { viewport: { width: 375, height: 812 }, isMobile: true, hasTouch: true }
        for (const options of [{}, { colorScheme: 'dark' }, phone]) {
          const page = await visit(40.05, undefined, options)
          await ready(page)
          expect(await findingsOf(page)).to.deep.equal([])
          await typeCard(page)
          expect(await findingsOf(page)).to.deep.equal([])
          await page.context().close()
        }
      })

      it('supports autofill of cards, and the numeric keyboard of phones', async () => {
        const page = await visit(40.06)
        await ready(page)
        expect(await page.locator('#card iframe').getAttribute('allow')).to.match(
          /\bautofill\b.*\bshared-autofill\b/,
        )
        for (const name of CARD_BOXES) {
          const found = box(page, 'card', name)
          expect(await found.count(), name).to.equal(1)
          expect(await found.getAttribute('inputmode'), name).to.equal('numeric')
        }
        // Autofill changes values without key presses, like `fill`.
        await box(page, 'card', 'cc-number').fill('4242 4242 4242 4242')
        await box(page, 'card', 'cc-exp').fill('12/39')
        await box(page, 'card', 'cc-csc').fill(CARD.code)
        await eventWhere(page, "({ type, complete }) => type === 'change' && complete")
        await page.click(pay)
        await eventOf(page, 'processed')
      })

      it('groups digits, and adds a slash to the date', async () => {
        const page = await visit(40.07)
        await box(page, 'card', 'cc-number').pressSequentially('378282246310005')
        expect(await box(page, 'card', 'cc-number').inputValue()).to.equal('3782 822463 10005')
        await box(page, 'card', 'cc-exp').pressSequentially('1239')
        expect(await box(page, 'card', 'cc-exp').inputValue()).to.equal('12/39')
      })

      it('refuses pasted text if the page says so', async () => {
        const page = await visit(40.08, "h(shop.Card, { id: 'card', disablePaste: true }),", {
          permissions: ['clipboard-read', 'clipboard-write'],
        })
        await page.evaluate(`navigator.clipboard.writeText('${CARD.number}')`)
        await box(page, 'card', 'cc-number').focus()
        await page.keyboard.press('ControlOrMeta+V')
        expect(await box(page, 'card', 'cc-number').inputValue()).to.equal('')
      })

      it('exposes no digit of a card to the page, whether it is typed, declined or paid', async () => {
        const page = await visit(40.09)
        const seen = async () => digitsIn(String(await page.evaluate('seen()')))
        await typeCard(page, DECLINED)
        await page.click(pay)
        await eventOf(page, 'declined')
        expect(digitsIn(String(await page.evaluate('seen()')), DECLINED)).to.deep.equal([])
        await box(page, 'card', 'cc-number').fill('')
        await box(page, 'card', 'cc-number').pressSequentially(CARD.number)
        expect(await seen()).to.deep.equal([])
        await page.click(pay)
        await eventOf(page, 'processed')
        expect(await seen()).to.deep.equal([])
        // `digitsIn` does find digits if a script can see them.
        await page.evaluate(`events.push({ type: 'lie', number: '4242 4242 4242 4242' })`)
        expect(await seen()).to.not.deep.equal([])
      })

      it("sends no digit of a card to the shop's server, and requests only to the shop and the service", () => {
        expect(digitsIn(world.site.received.join('\n'))).to.deep.equal([])
        expect(digitsIn(world.site.received.join('\n'), DECLINED)).to.deep.equal([])
        expect(digitsIn(world.addresses.join('\n'))).to.deep.equal([])
        const origins = new Set(world.addresses.map((address) => new URL(address).origin))
        origins.delete('null')
        expect([...origins]).to.have.members([world.site.origin, new URL(world.service.address).origin])
      })

      it("needs a content security policy that allows only the service's script and frames", () => {
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
