import { expect } from 'chai'
import { idOf } from '../../support/core.js'
import { onSqlite } from '../../support/databases.js'
import { chromium } from '../chromium.js'
import {
  box,
  CARD,
  type ComponentWorld,
  componentWorld,
  digitsIn,
  eventOf,
  kindsOf,
  showing,
  typeCard,
} from './component-world.js'

/** Tests the unmodified `PaymentMethodForm` of the React client on a page of another site than the service's. */
if (chromium !== undefined) {
  describe('the payment method form of payload-react, in a browser @rest', () => {
    onSqlite((open) => {
      let world: ComponentWorld
      let customer: string

      before(async () => {
        world = await componentWorld(open)
      })
      beforeEach(async () => {
        const ada = { name: 'Ada Park', email: 'ada@example.com', primary_processing_id: world.account }
        customer = idOf((await world.service.ask(world.key, 'POST', '/customers', ada)).body)
      })

      const formPage = async (inputs: string, { method = {}, props = '' } = {}) => {
        const key = await world.clientKey({
          payment_method_form: { payment_method: { account_id: customer, ...method } },
        })
        return await world.visit({
          script: showing(`h(shop.PaymentMethodForm,
            { clientToken: '${key}', autoSubmit: false, action: '/saved', method: 'post', ...noting(...FORM), ${props} },
            ${inputs} h('button', { type: 'submit' }, 'Save'))`),
        })
      }
      const save = 'button:has-text("Save")'
      const charge = async (amount: number, more: object) =>
        (await world.service.ask(world.key, 'POST', '/transactions', { type: 'payment', amount, ...more }))
          .body

      it('saves a card, which the server can charge repeatedly', async () => {
        const page = await formPage('h(shop.Card),', { method: { default_payment_method: true } })
        await typeCard(page)
        await page.click(save)
        const { payment_method_id: id } = await eventOf(page, 'created')
        await eventOf(page, 'success')
        expect(await kindsOf(page)).to.include.members(['processing', 'created', 'success'])
        expect(await charge(20.01, { payment_method_id: id })).to.include({
          status: 'processed',
          customer_id: customer,
        })
        expect(await charge(20.02, { customer_id: customer })).to.include({ payment_method_id: id })
      })

      it('saves a bank account', async () => {
        const inputs = `h(shop.RoutingNumber), h(shop.AccountNumber),
          h(shop.default.select.account_type, {}, h('option', { value: 'savings' }, 'Savings')),`
        const page = await formPage(inputs, { props: "paymentMethod: { account_holder: 'Ada Park' }" })
        await box(page, 'routing_number').pressSequentially('021000021')
        await box(page, 'account_number').pressSequentially('1234567890')
        await page.click(save)
        const { payment_method_id: id } = await eventOf(page, 'created')
        const { body } = await world.service.ask(world.key, 'GET', `/payment_methods/${id}`)
        expect(body).to.include({
          account_id: customer,
          type: 'bank_account',
          account_holder: 'Ada Park',
        })
        expect(body.bank_account).to.include({ account_type: 'savings' })
      })

      it("sends the shop's server the id of the saved payment method", async () => {
        const page = await formPage('h(shop.Card),', { props: 'autoSubmit: true' })
        await typeCard(page)
        await page.click(save)
        await page.waitForURL('**/saved')
        const posted = String(world.site.received.findLast((request) => request.startsWith('POST')))
        expect(posted).to.match(/pl_payment_method_id=pm_/)
        expect(digitsIn(posted)).to.deep.equal([])
      })

      it('saves one payment method if the button is clicked twice', async () => {
        const page = await formPage('h(shop.Card),')
        await typeCard(page)
        await page.dblclick(save)
        await eventOf(page, 'success')
        const query = `/payment_methods?account_id=${customer}&fields=id,card`
        const { body } = await world.service.ask(world.key, 'GET', query)
        expect(body.values).to.have.length(1)
        expect(JSON.stringify(body.values)).to.include(CARD.number.slice(-4))
      })

      it('saves no payment method for any customer but the customer that the key names', async () => {
        const page = await formPage('h(shop.Card),', {
          props: "paymentMethod: { account_id: 'acct_0V8c' }",
        })
        await typeCard(page)
        await page.click(save)
        expect(await eventOf(page, 'error')).to.include({ error_type: 'Forbidden' })
        expect(await kindsOf(page)).to.not.include('created')
      })

      it('violates no content security policy, and sends requests only to the shop and the service', () => {
        const origins = new Set(world.addresses.map((address) => new URL(address).origin))
        origins.delete('null')
        expect([...origins]).to.have.members([world.site.origin, new URL(world.service.address).origin])
        expect(world.complaints).to.deep.equal([])
      })
    })
  })
}
