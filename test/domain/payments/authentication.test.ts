import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'
import { LiveShop } from '../settlements/live-shop.js'

/** A card whose payer has to authenticate. */
const AUTHENTICATED = '4000002760003184'
const HALF_AN_HOUR = 0.5
const CANCEL = (id: string) => `POST /v1/payment_intents/${id}/cancel`

describe('a payment that its payer has to authenticate', () => {
  onDatabases((open) => {
    let shop: LiveShop
    let account: string
    beforeEach(async () => {
      shop = await LiveShop.open(open)
      account = await shop.account(null)
    })
    afterEach(async () => expect(await shop.findings()).to.deep.equal([]))

    const paying = (more: JsonObject = {}): JsonObject => ({
      type: 'payment',
      amount: 10,
      processing_id: account,
      payment_method: card(AUTHENTICATED),
      ...more,
    })
    const begin = async (more: JsonObject = {}) => await shop.ok('POST', '/transactions', paying(more))
    const intent = () => {
      const [first, ...others] = shop.server.books.intents
      if (!first || others.length > 0) throw new Error(`There are ${others.length} other payments`)
      return first
    }
    /** Visits the page named in the answer, as the payer. */
    const visit = async ({ next_action }: JsonObject, isGivenUp = false) => {
      const { pathname, searchParams } = new URL(String(objectOf(next_action).url))
      const payables = await (await shop.core.app.environment('live')).payables()
      const id = pathname.split('/').at(-1) ?? ''
      return await payables.action({ id, signature: searchParams.get('signature') ?? '', isGivenUp })
    }
    const calls = (call: string) => shop.server.requests.filter((each) => each.call === call).length
    const states = async (id: string) => {
      const { status, status_code } = await shop.read(id)
      return [status, status_code, intent().status, shop.server.books.balance]
    }

    it('is processing, and names the authentication page, for half an hour', async () => {
      const made = await begin({ return_url: 'https://shop.example/done?order=7' })
      expect(made).to.include({ status: 'processing', status_code: 'authentication_required' })
      const { url, expires_at } = objectOf(made.next_action)
      expect(url).to.match(/\/authenticate\/live\/txn_\w+\?signature=[\w-]+$/)
      expect(expires_at).to.equal('2030-01-15 12:30:00')
      expect(await shop.read(idOf(made))).to.deep.equal(made)
      expect(await visit(made)).to.deep.include({
        isOpen: true,
        amount: 1000,
        returnUrl: `https://shop.example/done?order=7&transaction_id=${made.id}`,
      })
    })

    it('has the same answer for a request repeated under its key', async () => {
      const { core } = await shop.core.app.environment('live')
      const request = {
        method: 'POST',
        path: '/transactions',
        body: paying(),
        principal: owner,
        idempotencyKey: 'once',
      } as const
      const first = await core.handle(request)
      expect((await core.handle(request)).body).to.deep.equal(first.body)
      shop.server.books.authenticate(intent().id, true)
      await shop.reconcile()
      expect((await core.handle(request)).body).to.deep.equal(first.body)
      expect(await shop.read(String(first.body.id))).to.include({ status: 'processed' })
      expect(calls('POST /v1/payment_intents')).to.equal(1)
    })

    it('is processed once after the payer has authenticated, however often it is checked', async () => {
      const made = await begin()
      shop.server.books.authenticate(intent().id, true)
      expect(await visit(made)).to.include({ isOpen: false })
      await shop.say('payment_intent.succeeded', intent())
      await shop.reconcile()
      expect(await visit(made, true)).to.include({ isOpen: false })
      expect(await states(idOf(made))).to.deep.equal(['processed', 'approved', 'succeeded', 1000])
    })

    it('is authorized if it is to be captured later', async () => {
      const made = await begin({ status: 'authorized' })
      shop.server.books.authenticate(intent().id, true)
      await shop.reconcile()
      expect((await states(idOf(made))).slice(0, 3)).to.deep.equal([
        'authorized',
        'approved',
        'requires_capture',
      ])
    })

    it('is cancelled at the gateway before it is declined if the payer refuses', async () => {
      const made = await begin()
      shop.server.books.authenticate(intent().id, false)
      await shop.say('payment_intent.payment_failed', intent())
      expect(await states(idOf(made))).to.deep.equal(['declined', 'authentication_required', 'canceled', 0])
      expect(await visit(made)).to.include({ isOpen: false })
    })

    it('is cancelled at the gateway when a request voids it, and is then declined', async () => {
      const made = await begin()
      const path = `/transactions/${made.id}`
      const { status, body } = await shop.send('PUT', path, { status: 'voided' })
      expect([status, body.error_type]).to.deep.equal([400, 'TransactionDeclined'])
      expect(await states(idOf(made))).to.deep.equal(['declined', 'authentication_required', 'canceled', 0])
      expect(calls(CANCEL(intent().id))).to.equal(1)
    })

    it('is cancelled at the gateway when the payer gives up on the page', async () => {
      const made = await begin()
      expect(await visit(made, true)).to.include({ isOpen: false })
      expect(await states(idOf(made))).to.deep.equal(['declined', 'authentication_required', 'canceled', 0])
    })

    it('is cancelled and declined after half an hour', async () => {
      const made = await begin()
      await shop.wait(HALF_AN_HOUR - 0.01)
      await shop.reconcile()
      expect(await states(idOf(made))).to.deep.equal([
        'processing',
        'authentication_required',
        'requires_action',
        0,
      ])
      await shop.wait(0.01)
      await shop.reconcile()
      expect(await states(idOf(made))).to.deep.equal(['declined', 'authentication_required', 'canceled', 0])
      expect(await shop.read(idOf(made))).not.to.have.property('next_action')
    })

    it('stays processing until the gateway has confirmed the cancellation', async () => {
      const made = await begin()
      await shop.wait(HALF_AN_HOUR)
      shop.server.trouble(CANCEL(intent().id), 'lost_before')
      await shop.reconcile()
      expect((await states(idOf(made))).slice(0, 3)).to.deep.equal([
        'processing',
        'authentication_required',
        'requires_action',
      ])
      shop.server.trouble(CANCEL(intent().id), 'lost_after')
      await shop.reconcile()
      expect(await states(idOf(made))).to.deep.equal(['declined', 'authentication_required', 'canceled', 0])
    })

    it('is processed if the payer was faster than the cancellation', async () => {
      const made = await begin()
      await shop.wait(HALF_AN_HOUR)
      shop.server.books.authenticate(intent().id, true)
      await shop.reconcile()
      expect(await states(idOf(made))).to.deep.equal(['processed', 'approved', 'succeeded', 1000])
    })

    it('is found after a lost answer, and continues', async () => {
      shop.server.trouble('POST /v1/payment_intents', 'lost_after')
      const made = await begin()
      expect(made).to.include({ status: 'processing', status_code: null })
      await shop.reconcile()
      const found = await shop.read(idOf(made))
      expect(found).to.include({ status_code: 'authentication_required' })
      shop.server.books.authenticate(intent().id, true)
      expect(await visit(found)).to.include({ isOpen: false })
      expect(await states(idOf(made))).to.deep.equal(['processed', 'approved', 'succeeded', 1000])
    })

    it('is cancelled and declined at once if authentication is impossible', async () => {
      const method = { ...card(AUTHENTICATED), default_payment_method: true }
      await shop.ok('POST', '/billing_schedules', {
        customer_id: await shop.customer(method),
        processing_id: account,
        recurring_frequency: 'monthly',
        charges: [{ amount: 10 }],
      })
      expect(await shop.ok('POST', '/admin/billing/run', {})).to.include({ payment_count: 1 })
      const [taken] = await shop.list('/transactions')
      expect(taken).to.include({ status: 'declined', status_code: 'authentication_required' })
      expect(shop.server.books.intents.every(({ status }) => status !== 'requires_action')).to.equal(true)
    })

    it('refuses an unsafe return address', async () => {
      for (const return_url of ['http://shop.example/done', 'https://shop.example/#x', 'javascript:0']) {
        const { status, body } = await shop.send('POST', '/transactions', paying({ return_url }))
        expect([status, Object.keys(objectOf(body.details))]).to.deep.equal([400, ['return_url']])
      }
      expect(shop.server.books.intents).to.deep.equal([])
    })

    it('hides its page from everyone without its address', async () => {
      const made = await begin()
      const payables = await (await shop.core.app.environment('live')).payables()
      expect(await payables.action({ id: idOf(made), signature: 'x', isGivenUp: true })).to.equal(undefined)
      expect(intent().status).to.equal('requires_action')
    })
  })
})
