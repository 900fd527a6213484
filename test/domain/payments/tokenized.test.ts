import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { NOTIFICATION_SECRET, openStripeServer, SECRET_KEY } from '../../gateways/stripe/stripe-server.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

const DECLINED = '4000000000000002'

describe('a gateway that replaces numbers with tokens', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    let tokenOnly: string
    before(async () => {
      shop = await LiveShop.open(open)
      await shop.become('tokenize')
      account = await shop.account(null)
      tokenOnly = await shop.customer({ ...card(), default_payment_method: true })
    })
    afterEach(async () => expect(await shop.findings()).to.deep.equal([]))

    /** Removes and returns the received requests, except new customers. `by number` marks a card number. */
    const came = () =>
      shop.server.requests
        .splice(0)
        .filter(({ call }) => call !== 'POST /v1/customers')
        .map(({ call, form }) => `${call}${form.has('card[number]') ? ' by number' : ''}`)

    it('leads to deletion of the number after the first payment, and the token is used from then on', async () => {
      shop.server.requests.splice(0)
      const first = await shop.charge(account, tokenOnly, 10)
      expect(came()).to.deep.equal(['POST /v1/payment_methods by number', 'POST /v1/payment_intents'])
      expect(await shop.numbersOf(tokenOnly)).to.deep.equal([null])
      const held = await shop.charge(account, tokenOnly, 11, { status: 'authorized' })
      await shop.ok('PUT', `/transactions/${held}`, { status: 'processed' })
      await shop.refund(first, 4)
      const paid = came()
      expect(paid).to.have.length(3)
      expect(paid.join()).to.not.include('number').and.not.include('payment_methods')
      expect(await shop.read(first)).to.include({ status: 'processed' })
    })

    it('collects scheduled invoices with the token', async () => {
      await shop.ok('POST', '/billing_schedules', {
        customer_id: tokenOnly,
        processing_id: account,
        recurring_frequency: 'monthly',
        charges: [{ amount: 32 }],
      })
      await shop.ok('POST', '/admin/billing/run')
      const [billed] = await shop.list('/transactions', `customer_id=${tokenOnly}&order_by=-id&limit=1`)
      expect(billed).to.include({ status: 'processed', amount: 32 })
      expect(came()).to.deep.equal(['POST /v1/payment_intents'])
    })

    it('leads to keeping the number until a payment with it is approved', async () => {
      const customer = await shop.customer(card(DECLINED))
      const body = { type: 'payment', amount: 9, processing_id: account, customer_id: customer }
      expect((await shop.send('POST', '/transactions', body)).status).to.equal(400)
      expect(await shop.numbersOf(customer)).to.not.include(null)
      const unknown = await shop.customer(card())
      shop.server.trouble('POST /v1/payment_intents', 'lost_after')
      const { body: lost } = await shop.send('POST', '/transactions', { ...body, customer_id: unknown })
      expect(lost).to.include({ status: 'processing' })
      expect(await shop.numbersOf(unknown)).to.not.include(null)
      shop.time.now += 3_600_000
      await (await shop.core.app.environment('live')).reconcile(0)
      expect(await shop.read(idOf(lost))).to.include({ status: 'processed' })
      expect(await shop.numbersOf(unknown), 'its token came with the answer that was looked up').to.include(
        null,
      )
    })

    it('requires a new method if another gateway or merchant does not know the token', async () => {
      const body: JsonObject = { type: 'payment', amount: 9, customer_id: tokenOnly }
      const refusalAt = async (processing_id: string) => {
        const { status, body: refused } = await shop.send('POST', '/transactions', { ...body, processing_id })
        expect(status).to.equal(400)
        return objectOf(refused.details).payment_method_id
      }
      const merchants = await shop.account(null)
      const others = await shop.account(null)
      const route = { processing_id: merchants, default: 'cards', merchant: 'acct_theirs' }
      await shop.ok('PUT', '/admin/gateway_routes', route)
      expect(await refusalAt(merchants)).to.equal(
        'Is known to the gateway cards only, and payments go to acct_theirs at the gateway cards: a new payment method is needed',
      )
      const server = await openStripeServer(() => shop.time.now)
      open.atEnd(() => server.close())
      await shop.ok('POST', '/admin/gateways', {
        name: 'others',
        kind: 'stripe',
        base_url: server.address,
        credentials: { secret_key: SECRET_KEY, notification_secret: NOTIFICATION_SECRET },
      })
      await shop.ok('PUT', '/admin/gateway_routes', { processing_id: others, default: 'others' })
      expect(await refusalAt(others)).to.equal(
        'Is known to the gateway cards only, and payments go to the gateway others: a new payment method is needed',
      )
      expect(server.requests, 'nobody is asked').to.deep.equal([])
      // The number is stored for this case: a payer at both merchants can be charged at either.
      const customer = await shop.customer({ ...card(), default_payment_method: true })
      await shop.charge(merchants, customer, 12)
      expect(await shop.read(await shop.charge(merchants, customer, 13))).to.include({ status: 'processed' })
      const { body: refused } = await shop.send('POST', '/transactions', {
        ...body,
        customer_id: customer,
        processing_id: account,
      })
      expect(objectOf(refused.details).payment_method_id).to.equal(
        'Is known to acct_theirs at the gateway cards only, and payments go to the gateway cards: a new payment method is needed',
      )
    })

    it('is sent a payment by a card after its stored expiry, as the card may have been renewed', async () => {
      came()
      shop.time.now = Date.UTC(2041, 0, 15)
      await shop.charge(account, tokenOnly, 15)
      expect(came()).to.deep.equal(['POST /v1/payment_intents'])
    })
  })
})
