import { expect } from 'chai'
import { textsIn } from '../../src/http/views/texts/payer-texts.js'
import { onSqlite } from '../support/databases.js'
import { httpService } from '../support/http.js'
import { chromium } from './chromium.js'
import {
  CARD,
  CARD_FORM,
  countOf,
  type FieldsWorld,
  fieldsWorld,
  fillCard,
  frameOf,
  seen,
} from './fields-world.js'

const BANK_FORM = CARD_FORM.replace('</form>', '').replace('pl-input="card"', 'pl-input="account_number"')

/** What payers and pages do with secure fields besides paying at once. */
if (chromium !== undefined) {
  describe('secure fields as a page changes', () => {
    onSqlite((open) => {
      let world: FieldsWorld
      before(async () => {
        world = await fieldsWorld(open)
      })
      after(() => world.close())
      beforeEach(() => world.renew())

      it('appear in elements that the page adds later, and are forgotten with those that it removes', async () => {
        const page = await world.visit()
        await fillCard(page)
        await page.evaluate(`(() => {
          document.querySelector('#card').remove()
          for (const name of ['card_number', 'expiry', 'cvc']) {
            const added = document.createElement('div')
            added.setAttribute('pl-input', name)
            document.querySelector('form').prepend(added)
          }
        })()`)
        for (const [name, value] of [
          ['card_number', CARD.card_number],
          ['expiry', CARD.expiry],
          ['cvc', CARD.card_code],
        ] as const)
          await (await frameOf(page, name)).fill('input', value)
        await page.click('button')
        await seen(page, 'processed')
      })

      it('follow the parameters of the form until it is sent', async () => {
        world.form.options += ', payment: { order_number: "A-1" }'
        const page = await world.visit()
        await page.evaluate(`form.params.payment = { order_number: 'A-2', description: 'Later' }`)
        await fillCard(page)
        await page.click('button')
        const { transaction_id: id } = await seen(page, 'processed')
        expect(await world.shop.ok('GET', `/transactions/${id}`)).to.include({
          order_number: 'A-2',
          description: 'Later',
        })
      })

      it('say that a value is wrong when it is left, and that it is right when it was corrected', async () => {
        const page = await world.visit()
        const frame = await frameOf(page, 'card')
        await frame.fill('[name=expiry]', '01/20')
        await page.click('h1')
        expect(await seen(page, 'invalid')).to.deep.equal({
          type: 'invalid',
          message: 'This card has expired',
          on: 'card',
        })
        await page.waitForSelector('#card.pl-invalid')
        await frame.fill('[name=expiry]', '01/49')
        await page.waitForSelector('#card:not(.pl-invalid)')
        expect(await countOf(page, 'valid')).to.equal(1)
      })

      it('are emptied with the form, and take no paste where the page forbids it', async () => {
        world.form.body = CARD_FORM.replace('pl-input="card"', 'pl-input="card" disable-paste="true"')
        const page = await world.visit()
        const frame = await frameOf(page, 'card')
        await frame.click('[name=card_number]')
        await page.waitForSelector('#card.pl-focus')
        const pasted = `!document.querySelector('input').dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true }))`
        expect(await frame.evaluate(pasted)).to.equal(true)
        await fillCard(page)
        await page.evaluate(`document.querySelector('form').reset()`)
        await frame.waitForFunction(
          `[...document.querySelectorAll('input')].every(({ value }) => value === '')`,
        )
      })

      it('send nothing by Enter where the page forbids it', async () => {
        world.form.options += ', preventSubmitOnEnter: true'
        const page = await world.visit()
        await fillCard(page)
        await (await frameOf(page, 'card')).press('[name=card_code]', 'Enter')
        await page.press('[pl-input=amount]', 'Enter')
        await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
        expect(await countOf(page, 'processing')).to.equal(0)
      })

      it('belong to their own form, of two in a page', async () => {
        const second = CARD_FORM.replaceAll('id="card"', 'id="other"').replace('10.00', '20.00')
        world.form.body = CARD_FORM + second
        const page = await world.visit()
        await page.evaluate(
          `window.other = new Payload.Form({ form: document.querySelectorAll('form')[1], autosubmit: false })`,
        )
        await fillCard(page)
        const refused = await page.evaluate(
          'other.submit().catch(({ data }) => data.details["payment_method[card][card_number]"])',
        )
        expect(refused).to.equal('Fill this in')
        await page.click('button')
        const { transaction_id: id } = await seen(page, 'processed')
        expect(await world.shop.ok('GET', `/transactions/${id}`)).to.include({ amount: 10 })
      })

      it('report refusals of the service without the number that was typed', async () => {
        world.form.body = BANK_FORM.replace('<button>', '<div pl-input="routing_number"></div><button>')
        const page = await world.visit()
        const number = '98765432109876543210987'
        await (await frameOf(page, 'account_number')).fill('input', number)
        await (await frameOf(page, 'routing_number')).fill('input', '110000000')
        await page.click('button')
        await seen(page, 'error')
        const all: string = await page.evaluate('JSON.stringify(seen)')
        expect(all).to.include('account_number')
        for (const digits of [number.slice(0, 6), number.slice(-6), '1100'])
          expect(all).to.not.include(digits)
      })

      it('speak the language of the browser', async () => {
        const { address } = world.shop.service
        const answer = await fetch(`${address}/fields/expiry?key=${world.form.key}&group=a`, {
          headers: { 'accept-language': 'fr' },
        })
        const text = await answer.text()
        for (const part of ['<html lang="fr">', textsIn('fr').expires, textsIn('fr').pastExpiry])
          expect(text).to.include(part)
      })

      it('come from a script that leaves what the page calls Payload, and is Payctl, too', async () => {
        const page = await world.browser.newPage()
        await page.addInitScript('window.Payload = () => "taken"')
        await page.goto(world.origin)
        expect(await page.evaluate('[Payload(), typeof Payctl.Form, Payctl.api_url]')).to.deep.equal([
          'taken',
          'function',
          `${world.shop.service.address}/`,
        ])
        await page.close()
      })

      it('may have an origin of their own', async () => {
        const fieldsUrl = world.shop.service.address.replace('127.0.0.1', 'localhost')
        const service = await httpService(await open.place(), {}, { fieldsUrl })
        const script = await (await fetch(`${service.address}/Payload.js`)).text()
        await service.stop()
        expect(script).to.include(`const FIELDS_URL = "${fieldsUrl}/"`)
      })
    })
  })
}
