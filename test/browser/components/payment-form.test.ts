import { expect } from 'chai'
import { onSqlite } from '../../support/databases.js'
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
  kindsOf,
  showing,
  typeCard,
} from './component-world.js'

/** Tests the unmodified `PaymentForm` of the React client on a page of another site than the service's. */
if (chromium !== undefined) {
  describe('the payment form of payload-react, in a browser', () => {
    onSqlite((open) => {
      let world: ComponentWorld

      before(async () => {
        world = await componentWorld(open)
      })

      /** Opens a page with a payment form; by default it has one secure input for the whole card. */
      const formPage = async (amount: number, { payment = {}, props = '', inputs = '' } = {}) => {
        const intent = { payment_form: { payment: { amount, processing_id: world.account, ...payment } } }
        const key = await world.clientKey(intent)
        return await world.visit({
          script: showing(`h(shop.PaymentForm,
            { clientToken: '${key}', autoSubmit: false, action: '/paid', method: 'post', ...noting(...FORM), ${props} },
            h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '${amount.toFixed(2)}' }),
            ${inputs || "h('label', { htmlFor: 'card' }, 'Card'), h(shop.Card, { id: 'card' }),"}
            h('button', { type: 'submit' }, 'Pay'))`),
        })
      }
      const pay = 'button:has-text("Pay")'

      it('takes a payment, and gives its id to the page', async () => {
        const page = await formPage(10.01)
        await typeCard(page)
        await page.click(pay)
        const { transaction_id: id } = await eventOf(page, 'success')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'processed', 'success'])
        expect(await world.payments(10.01)).to.have.length(1)
        const { body } = await world.service.ask(world.key, 'GET', `/transactions/${id}`)
        expect(body).to.include({ amount: 10.01, status: 'processed', processing_id: world.account })
      })

      it('takes a payment with separate inputs for number, date and code', async () => {
        const inputs = `h(shop.CardNumber, { placeholder: 'Number' }), h(shop.Expiry), h(shop.CardCode),`
        const page = await formPage(10.02, { inputs })
        await box(page, 'card_number').pressSequentially(CARD.number)
        await box(page, 'expiry').pressSequentially(CARD.expiry)
        await box(page, 'card_code').pressSequentially(CARD.code)
        expect(await box(page, 'card_number').getAttribute('placeholder')).to.equal('Number')
        await page.click(pay)
        await eventOf(page, 'processed')
        const [payment] = await world.payments(10.02)
        expect(payment).to.include({ status: 'processed' })
      })

      it('takes a payment from a bank account, with the inputs of the page', async () => {
        const inputs = `h(shop.AccountNumber), h(shop.RoutingNumber),
          h(shop.default.select.account_type, { defaultValue: 'checking' }, h('option', { value: 'checking' }, 'Checking')),
          h(shop.PayloadInput, { attr: 'account_holder', defaultValue: 'Ada Park' }),`
        const page = await formPage(10.03, { inputs })
        await box(page, 'account_number').pressSequentially('1234567890')
        await box(page, 'routing_number').pressSequentially('021000021')
        await page.click(pay)
        const { transaction_id: id } = await eventOf(page, 'success')
        const fields = 'fields=amount,payment_method[type],payment_method[account_holder]'
        const { body } = await world.service.ask(world.key, 'GET', `/transactions/${id}?${fields}`)
        expect(body).to.deep.include({
          amount: 10.03,
          payment_method: { type: 'bank_account', account_holder: 'Ada Park' },
        })
      })

      it('reports a declined card, and accepts another card', async () => {
        const page = await formPage(10.04)
        await typeCard(page, DECLINED)
        await page.click(pay)
        const declined = await eventOf(page, 'declined')
        expect(declined).to.include({ status_code: 'general_decline' })
        expect(declined.transaction_id).to.match(/^txn_/)
        expect(declined.message).to.be.a('string').and.not.equal('')
        expect(await kindsOf(page)).to.deep.equal(['processing', 'declined'])

        await box(page, 'card', 'cc-number').fill('')
        await box(page, 'card', 'cc-number').pressSequentially(CARD.number)
        await page.click(pay)
        await eventOf(page, 'processed')
        const statuses = (await world.payments(10.04)).map(({ status }) => status)
        expect(statuses).to.have.members(['declined', 'processed'])
      })

      it('authorizes a payment on the page, for the server to capture', async () => {
        const page = await formPage(10.05, { payment: { status: 'authorized', order_number: 'A-1005' } })
        await typeCard(page)
        await page.click(pay)
        const { transaction_id: id } = await eventOf(page, 'authorized')
        expect(await kindsOf(page))
          .to.include('success')
          .and.not.include('processed')
        const path = `/transactions/${id}`
        const read = await world.service.ask(world.key, 'GET', path)
        expect(read.body).to.include({ status: 'authorized', amount: 10.05, order_number: 'A-1005' })
        const captured = await world.service.ask(world.key, 'PUT', path, { status: 'processed' })
        expect(captured.body).to.include({ status: 'processed' })
      })

      it('authorizes a payment if the page says so and the key does not decide', async () => {
        const page = await formPage(10.06, { props: "payment: { status: 'authorized' }" })
        await typeCard(page)
        await page.click(pay)
        await eventOf(page, 'authorized')
      })

      it('rejects its promise with an error if the page sends an attribute that its key does not allow', async () => {
        const page = await formPage(10.07, {
          props: "ref: (form) => { window.form = form }, payment: { customer_id: 'acct_0V8c' }",
        })
        await typeCard(page)
        const rejected = await page.evaluate(
          'form.submit().then(() => "paid", (error) => JSON.stringify(error.data))',
        )
        const { error_type: type, details } = JSON.parse(String(rejected))
        expect(type).to.equal('Forbidden')
        expect(details).to.have.property('customer_id')
        expect(await eventOf(page, 'error')).to.include({ error_type: 'Forbidden' })
        expect(await world.payments(10.07)).to.deep.equal([])
      })

      it('reports that too many numbers were tried, and that no payment was made', async () => {
        const key = await world.clientKey({ payment_form: { payment: { processing_id: world.account } } })
        for (let ending = 9900; ending < 9910; ending++) {
          const card = { card_number: `411111111111${ending}`, expiry: '12/39', card_code: '123' }
          const body = { type: 'payment', amount: 10.13, payment_method: { type: 'card', card } }
          await world.service.ask(key, 'POST', '/transactions', body)
        }
        const page = await world.visit({
          script:
            showing(`h(shop.PaymentForm, { clientToken: '${key}', autoSubmit: false, ...noting(...FORM) },
            h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '10.13' }),
            h(shop.Card), h('button', { type: 'submit' }, 'Pay'))`),
        })
        await typeCard(page)
        await page.click(pay)
        const refused = await eventOf(page, 'error')
        expect(refused).to.include({ error_type: 'TooManyRequests' })
        expect(refused.message).to.include('nothing was charged')
      })

      it('reports that Apple Pay, Google Pay and Plaid are not available', async () => {
        const page = await formPage(10.14, { props: 'ref: (form) => { window.form = form },' })
        await box(page, 'card', 'cc-csc').waitFor()
        for (const name of ['applepay', 'googlepay', 'plaid']) {
          const called = `new Promise((resolve) => form.pl_form.${name}('#button', resolve))`
          expect(await page.evaluate(called)).to.equal(false)
          const thrown = `(() => { try { form.pl_form.${name}() } catch ({ data }) { return data.error_description } })()`
          expect(await page.evaluate(thrown)).to.equal(`${name} is not available`)
        }
      })

      it('marks an invalid field with a message, and sends no request', async () => {
        const page = await formPage(10.08, { props: "styles: { invalid: 'is-invalid' }" })
        await box(page, 'card', 'cc-number').pressSequentially('4242424242424241')
        await box(page, 'card', 'cc-exp').pressSequentially('0120')
        await page.click(pay)
        const invalid = await eventOf(page, 'invalid')
        expect(invalid.target).to.equal('card')
        expect(invalid.message).to.be.a('string').and.not.equal('')
        expect(await page.getAttribute('#card', 'class')).to.match(/\bis-invalid\b/)
        expect(await box(page, 'card', 'cc-number').getAttribute('aria-invalid')).to.equal('true')
        expect(await world.payments(10.08)).to.deep.equal([])

        await box(page, 'card', 'cc-number').fill('')
        await box(page, 'card', 'cc-exp').fill('')
        await typeCard(page)
        await eventOf(page, 'valid')
        expect(await page.getAttribute('#card', 'class')).to.not.match(/\bis-invalid\b/)
        await page.click(pay)
        await eventOf(page, 'processed')
      })

      it('reports focus, completeness and card brand of an input to the page, but never its digits', async () => {
        const page = await formPage(10.09)
        await box(page, 'card', 'cc-number').focus()
        expect(await eventOf(page, 'focus')).to.deep.include({ target: 'card' })
        expect(await page.getAttribute('#card', 'class')).to.match(/\bpl-focus\b/)
        await typeCard(page)
        await eventWhere(page, "({ type, complete }) => type === 'change' && complete")
        expect(await eventOf(page, 'change')).to.deep.include({
          target: 'card',
          complete: true,
          empty: false,
        })
        expect(String((await eventOf(page, 'change')).brand)).to.match(/visa/i)
        await page.focus(pay)
        expect(await eventOf(page, 'blur')).to.deep.include({ target: 'card' })
        expect(await page.getAttribute('#card', 'class')).to.not.match(/\bpl-focus\b/)
      })

      it('calls only the listeners of the input that an event concerns', async () => {
        const inputs = `h(shop.CardNumber, { onInvalid: ({ type }) => note({ type: type + ' number' }) }),
          h(shop.Expiry, { onInvalid: ({ type }) => note({ type: type + ' expiry' }) }), h(shop.CardCode),`
        const page = await formPage(10.1, { inputs })
        await box(page, 'card_number').pressSequentially(CARD.number)
        await box(page, 'expiry').pressSequentially('0120')
        await box(page, 'card_code').pressSequentially(CARD.code)
        await page.click(pay)
        await eventOf(page, 'invalid expiry')
        expect(await kindsOf(page)).to.not.include('invalid number')
      })

      it("sends the shop's server the id of the payment if the form is submitted automatically", async () => {
        const page = await formPage(10.11, { props: 'autoSubmit: true' })
        await typeCard(page)
        await page.click(pay)
        await page.waitForURL('**/paid')
        const [payment] = await world.payments(10.11)
        const posted = world.site.received.findLast((request) => request.startsWith('POST'))
        expect(posted).to.include(`pl_transaction_id=${payment?.id}`)
        expect(digitsIn(String(posted))).to.deep.equal([])
      })

      it('takes a payment if the component is shown a second time and its inputs are added later', async () => {
        const key = await world.clientKey({
          payment_form: { payment: { amount: 10.12, processing_id: world.account } },
        })
        const page = await world.visit({
          script: `const { h, show, hide, React } = shop
            const Later = () => {
              const [isShown, setShown] = React.useState(false)
              return h(shop.PaymentForm, { clientToken: '${key}', autoSubmit: false, ...noting(...FORM) },
                h(shop.PayloadInput, { attr: 'amount', type: 'hidden', value: '10.12' }),
                isShown && h(shop.Card), h('button', { type: 'button', onClick: () => setShown(!isShown) }, 'Card'),
                h('button', { type: 'submit' }, 'Pay'))
            }
            show(h(Later)); hide(); show(h(Later))`,
        })
        for (let clicks = 0; clicks < 3; clicks++) await page.click('button:has-text("Card")')
        await typeCard(page)
        await page.click(pay)
        await eventOf(page, 'processed')
        expect(await world.payments(10.12)).to.have.length(1)
      })

      it('sends requests only to the shop and the service, and violates no content security policy', () => {
        const origins = new Set(world.addresses.map((address) => new URL(address).origin))
        origins.delete('null')
        expect([...origins]).to.have.members([world.site.origin, new URL(world.service.address).origin])
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
