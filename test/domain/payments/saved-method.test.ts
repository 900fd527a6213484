import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

/** A card whose payer has to authenticate, and one that its bank declines. */
const AUTHENTICATED = '4000002500003155'
const DECLINED = '4000000000000002'
const SETUP = 'POST /v1/setup_intents'

describe('a payment method that a payer saves on a page', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    let customer: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account(null)
      customer = idOf(await shop.ok('POST', '/customers', { name: 'Ada Park' }))
    })
    afterEach(async () => expect(await shop.findings()).to.deep.equal([]))

    const save = async (number: string, more: Partial<Principal> = {}) => {
      const { core } = await shop.core.app.environment('live')
      const principal: Principal = {
        kind: 'client',
        id: 'key_of_a_page',
        manage: false,
        grants: { payment_methods: ['POST'] },
        intent: { account_id: customer, default_payment_method: 1, type: 'card' },
        address: '203.0.113.7',
        ...more,
      }
      const { default_payment_method: _, ...method } = card(number)
      return await core.handle({ method: 'POST', path: '/payment_methods', body: method, principal })
    }
    const methods = async (): Promise<JsonObject[]> =>
      await shop.list('/payment_methods', `fields=*,consent&order_by=id&account_id=${customer}`)
    const pay = async (more: JsonObject = {}) =>
      await shop.send('POST', '/transactions', {
        type: 'payment',
        amount: 10,
        processing_id: account,
        customer_id: customer,
        ...more,
      })
    const visit = async ({ next_action }: JsonObject, isGivenUp = false) => {
      const { pathname, searchParams } = new URL(String(objectOf(next_action).url))
      const payables = await (await shop.core.app.environment('live')).payables()
      const id = pathname.split('/').at(-1) ?? ''
      return await payables.action({ id, signature: searchParams.get('signature') ?? '', isGivenUp })
    }

    it('is stored at the gateway without a payment, with the agreement of the payer', async () => {
      expect((await save('4242424242424242')).status).to.equal(200)
      const [saved] = await methods()
      expect(saved).to.include({ default_payment_method: true })
      expect(objectOf(saved?.consent)).to.include({
        given_at: '2030-01-15 12:00:00',
        address: '203.0.113.7',
      })
      expect(objectOf(saved?.consent).text).to.match(/later payments/)
      expect(shop.server.books.intents).to.deep.equal([])
      expect(shop.server.setups.made.map(({ status }) => status)).to.deep.equal(['succeeded'])
      shop.server.requests.length = 0
      expect((await pay()).body).to.include({ status: 'processed' })
      // The payment uses the token: no number is sent again.
      expect(shop.server.requests.map(({ call }) => call)).to.deep.equal(['POST /v1/payment_intents'])
    })

    it("replaces the customer's default only after it is stored", async () => {
      await save('4242424242424242')
      const { body } = await save(AUTHENTICATED)
      expect(objectOf(body.next_action).url).to.match(/\/authenticate\/live\/pm_/)
      expect((await pay({ payment_method_id: body.id ?? null })).body.error_description).to.include(
        'payment_method_id',
      )
      expect((await methods()).map((each) => each.default_payment_method)).to.deep.equal([true, false])
      const [, setup] = shop.server.setups.made
      shop.server.setups.authenticate(setup?.id ?? '', true)
      expect(await visit(body)).to.include({ isOpen: false })
      expect((await methods()).map((each) => each.default_payment_method)).to.deep.equal([false, true])
      expect((await pay()).body).to.include({ status: 'processed' })
    })

    it('is removed if the bank declines it or the payer refuses, gives up, or takes too long', async () => {
      const declined = await save(DECLINED)
      expect([declined.status, declined.body.error_type, declined.body.details]).to.deep.equal([
        400,
        'InvalidAttributes',
        { card: { card_number: 'Declined without a stated reason' } },
      ])
      const refused = await save(AUTHENTICATED)
      shop.server.setups.authenticate(shop.server.setups.made.at(-1)?.id ?? '', false)
      expect(await visit(refused.body)).to.include({ isOpen: false })
      const given = await save(AUTHENTICATED)
      expect(await visit(given.body, true)).to.include({ isOpen: false })
      await save(AUTHENTICATED)
      await shop.wait(0.5)
      await shop.reconcile()
      expect(await methods()).to.deep.equal([])
    })

    it('is found after a lost answer, and removed after a lost request', async () => {
      shop.server.trouble(SETUP, 'lost_after')
      await save('4242424242424242')
      shop.server.trouble(SETUP, 'lost_before')
      await save('4242424242424242')
      await shop.reconcile()
      shop.time.now += 16 * 60_000
      await shop.reconcile()
      expect((await methods()).map((each) => each.default_payment_method)).to.deep.equal([true])
      expect((await pay()).body).to.include({ status: 'processed' })
    })
  })
})
