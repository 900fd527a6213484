import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { componentsScript } from '../../src/http/views/scripts/components/components-script.js'
import type { JsonObject } from '../../src/schema/json.js'
import { idOf, objectOf } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { findingsOf } from './accessibility.js'
import { chromium } from './chromium.js'
import {
  CARD,
  CARD_FORM,
  countOf,
  DECLINED,
  type FieldsWorld,
  fieldsWorld,
  fillCard,
  frameOf,
  seen,
} from './fields-world.js'

const SEPARATE = `<form pl-form="payment" method="post" action="/done">
<label>Name <input pl-input="account_holder" value="Bo Lind"></label>
<label>Amount <input pl-input="amount" value="10.00"></label>
<label>Postal code <input pl-input="billing_address[postal_code]" value="11111"></label>
<label for="number">Card number</label><div id="number" pl-input="card_number" placeholder="0000"></div>
<label for="expiry">Expires</label><div id="expiry" pl-input="expiry"></div>
<label for="code">Code</label><div id="code" pl-input="card_code"></div>
<button>Pay</button></form>`

const BANK = `<form pl-form="payment_method" method="post" action="/done">
<label>Name <input pl-input="account_holder" value="Bo Lind"></label>
<label>Type <select pl-input="account_type"><option>checking<option>savings</select></label>
<label for="routing">Routing number</label><div id="routing" pl-input="routing_number"></div>
<label for="account">Account number</label><div id="account" pl-input="account_number"></div>
<button>Save</button></form>`

/** A page of a shop with secure fields, on another site than the service. */
if (chromium !== undefined) {
  describe('secure fields in a browser', () => {
    onSqlite((open) => {
      let world: FieldsWorld
      before(async () => {
        world = await fieldsWorld(open)
      })
      after(() => world.close())
      beforeEach(() => world.renew())

      it('pays with one frame for the whole card, and hands the id to the server of the shop', async () => {
        const before = (await world.payments()).length
        world.form.options = ''
        const page = await world.visit()
        await fillCard(page)
        await Promise.all([page.waitForURL('**/done'), page.click('button')])
        const [posted = ''] = world.posted
        const id = new URLSearchParams(posted).get('pl_transaction_id')
        const payment = await world.shop.ok('GET', `/transactions/${id}`)
        expect(payment).to.include({ type: 'payment', status: 'processed', amount: 10 })
        expect(posted).to.not.match(/4242|123/)
        expect((await world.payments()).length).to.equal(before + 1)
      })

      it('pays with separate fields, and emits what the client of this interface listens to', async () => {
        world.form.body = SEPARATE
        const page = await world.visit()
        for (const [field, value] of Object.entries(CARD)) {
          const frame = await frameOf(page, field)
          await frame.locator('input').pressSequentially(value.replaceAll(/[ /]/g, ''))
          expect(await frame.locator('input').inputValue()).to.equal(value)
        }
        await page.click('button')
        const success = await seen(page, 'success')
        expect(await seen(page, 'processed')).to.include({ transaction_id: success.transaction_id ?? null })
        const payment = await world.shop.ok(
          'GET',
          `/transactions/${success.transaction_id}?fields=*,payment_method`,
        )
        expect(payment).to.include({ status: 'processed', amount: 10 })
        expect(objectOf(payment.payment_method)).to.include({ account_holder: 'Bo Lind' })
        const all: JsonObject[] = JSON.parse(await page.evaluate('JSON.stringify(seen)'))
        const changes = all.filter(({ type, on }) => type === 'change' && on === 'card_number')
        expect(changes[0]).to.deep.equal({
          type: 'change',
          on: 'card_number',
          complete: false,
          empty: false,
          brand: 'Visa',
        })
        expect(changes.at(-1)).to.include({ complete: true })
        expect(all.filter(({ on }) => on === 'expiry').map(({ type }) => type)).to.include.members([
          'focus',
          'change',
          'blur',
          'valid',
        ])
        expect(
          all
            .map(({ type }) => type)
            .filter((type) => ['processing', 'processed', 'success'].includes(String(type))),
        ).to.deep.equal(['processing', 'processed', 'success'])
        expect(JSON.stringify(all)).to.not.include('4242')
        expect(await page.inputValue('[name=pl_transaction_id]')).to.equal(success.transaction_id)
        expect(world.posted).to.deep.equal([])
      })

      it('reports a decline with its transaction, and takes another card afterwards', async () => {
        const page = await world.visit()
        await fillCard(page, { card_number: DECLINED })
        const rejected = await page.evaluate(`form.submit().catch(({ data }) => data)`)
        const declined = await seen(page, 'declined')
        expect(declined.message).to.be.a('string')
        expect(declined.status_code).to.be.a('string')
        expect(objectOf(JSON.parse(JSON.stringify(rejected))).error_type).to.equal('TransactionDeclined')
        expect(await world.shop.ok('GET', `/transactions/${declined.transaction_id}`)).to.include({
          status: 'declined',
        })
        expect(await countOf(page, 'success')).to.equal(0)
        await fillCard(page)
        await page.click('button')
        await seen(page, 'processed')
      })

      it('authorizes where the page or the intent says so, and a server captures', async () => {
        world.form.options = `preventDefaultOnSubmit: true, payment: { status: 'authorized', order_number: 'A-7' }`
        const page = await world.visit()
        await fillCard(page)
        await page.click('button')
        const { transaction_id: id } = await seen(page, 'authorized')
        const captured = await world.shop.ok('PUT', `/transactions/${id}`, {
          status: 'processed',
          order_number: 'A-8',
        })
        expect(captured).to.include({ status: 'processed', order_number: 'A-8' })
      })

      it('saves a payment method, which the server charges again', async () => {
        const customer = await world.shop.ok('POST', '/customers', { name: 'Bo', email: 'bo@example.com' })
        world.form.key = await world.clientKey({
          processing_id: null,
          intent: { payment_method_form: { customer_id: idOf(customer) } },
        })
        world.form.body = BANK
        world.form.options = ''
        const page = await world.visit()
        await (await frameOf(page, 'routing_number')).fill('input', '110000000')
        await (await frameOf(page, 'account_number')).fill('input', '000123456789')
        await Promise.all([page.waitForURL('**/done'), page.click('button')])
        const id = new URLSearchParams(world.posted[0]).get('pl_payment_method_id')
        const method = await world.shop.ok('GET', `/payment_methods/${id}`)
        expect(method).to.include({
          type: 'bank_account',
          account_id: idOf(customer),
          account_holder: 'Bo Lind',
        })
        const charge = {
          type: 'payment',
          amount: 5,
          payment_method_id: id,
          processing_id: world.shop.account,
        }
        expect(await world.shop.ok('POST', '/transactions', charge)).to.include({ status: 'processed' })
        expect(world.posted[0]).to.not.include('123456789')
      })

      it('shows errors of fields in the frames, and sends nothing', async () => {
        world.form.body = SEPARATE
        world.form.options = `preventDefaultOnSubmit: true, styles: { invalid: 'is-invalid' }`
        const page = await world.visit()
        const number = await frameOf(page, 'card_number')
        await (await frameOf(page, 'expiry')).waitForSelector('input')
        await number.fill('input', '4242 4242 4242 4241')
        const data: JsonObject = JSON.parse(
          await page.evaluate(`form.submit().catch(({ data }) => JSON.stringify(data))`),
        )
        expect(data).to.include({ error_type: 'InvalidAttributes' })
        const details = objectOf(data.details)
        expect(details).to.include({ 'payment_method[card][card_code]': 'Fill this in' })
        expect(objectOf(objectOf(details.payment_method).card).expiry).to.equal('Fill this in')
        expect(await seen(page, 'error')).to.include({ error_type: 'InvalidAttributes' })
        expect(await number.getAttribute('input', 'aria-invalid')).to.equal('true')
        expect(await number.innerText('[role=alert]')).to.include('not a card number')
        expect(await page.getAttribute('#number', 'class')).to.include('is-invalid')
        expect(await countOf(page, 'processing')).to.equal(0)
        await number.fill('input', CARD.card_number)
        await page.waitForSelector('#number:not(.is-invalid)')
        expect(await seen(page, 'valid')).to.include({ on: 'card_number' })
      })

      it('shows errors of the service at the inputs of the page', async () => {
        world.form.body = CARD_FORM.replace('10.00', '-3')
        const page = await world.visit()
        await fillCard(page)
        await page.click('button')
        const { details } = await seen(page, 'error')
        expect(objectOf(details).amount).to.be.a('string')
        expect(await seen(page, 'invalid')).to.include({ on: 'amount' })
        expect(await page.getAttribute('[pl-input=amount]', 'aria-invalid')).to.equal('true')
      })

      it('is for the keyboard, for screen readers and for autofill', async () => {
        world.form.body = SEPARATE
        const page = await world.visit()
        const number = await frameOf(page, 'card_number')
        await frameOf(page, 'card_code')
        expect(await findingsOf(page)).to.deep.equal([])
        for (const [field, autocomplete, label] of [
          ['card_number', 'cc-number', 'Card number'],
          ['expiry', 'cc-exp', 'Expires'],
          ['card_code', 'cc-csc', 'Code'],
        ] as const) {
          const frame = await frameOf(page, field)
          expect(await frame.getAttribute('input', 'autocomplete')).to.equal(autocomplete)
          await frame.waitForSelector(`input[aria-label="${label}"]`)
          expect(await page.getAttribute(`[pl-input=${field}] iframe`, 'title')).to.equal(label)
          expect(await page.getAttribute(`[pl-input=${field}] iframe`, 'allow')).to.equal(
            'autofill; shared-autofill',
          )
        }
        expect(await number.getAttribute('input', 'placeholder')).to.equal('0000')
        await page.click('label[for=number]')
        await page.waitForSelector('#number.pl-focus')
        await page.keyboard.type('4242424242424242')
        await page.keyboard.press('Tab')
        await page.waitForSelector('#expiry.pl-focus')
        await page.keyboard.type('439')
        await page.keyboard.press('Enter')
        await page.waitForSelector('#code.pl-focus')
        await page.keyboard.type('123')
        await page.keyboard.press('Enter')
        await seen(page, 'processed')
      })

      it('leaves no cookie, is not stored, and refuses pages of other origins', async () => {
        const answer = await fetch(`${world.shop.service.address}/fields/card?key=${world.form.key}&group=a`)
        const policy = answer.headers.get('content-security-policy')
        expect(policy).to.include(`frame-ancestors ${world.origin}`)
        expect(answer.headers.get('set-cookie')).to.equal(null)
        expect(answer.headers.get('cache-control')).to.equal('no-store')
        const unknown = await fetch(
          `${world.shop.service.address}/fields/card?key=${world.form.key.slice(0, -3)}abc&group=a`,
        )
        expect([unknown.status, unknown.headers.get('x-frame-options')]).to.deep.equal([401, 'DENY'])
        const secret = await fetch(`${world.shop.service.address}/fields/card?key=${world.shop.key}&group=a`)
        expect(secret.status).to.equal(401)
        expect(
          (await fetch(`${world.shop.service.address}/fields/nothing?key=${world.form.key}`)).status,
        ).to.equal(404)
      })

      it('works at its immutable address with a hash', async () => {
        const { path, integrity } = componentsScript()
        const answer = await fetch(world.shop.service.address + path)
        expect(answer.headers.get('cache-control')).to.include('immutable')
        const text = await answer.text()
        expect(`sha384-${createHash('sha384').update(text).digest('base64')}`).to.equal(integrity)
        for (const name of ['/Payload.js', '/checkout.js'])
          expect(await (await fetch(world.shop.service.address + name)).text()).to.equal(text)
      })

      it('breaks no policy of the page or of its own', () => {
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
