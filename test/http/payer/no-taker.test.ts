import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { openStripeServer, SECRET_KEY } from '../../gateways/stripe/stripe-server.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeProcessing, processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { CARD, payerAt, wordsOf } from './payer.js'

const NOBODY = 'No payments are taken here'

describe('a payment link without a gateway to take it', () => {
  onDatabases((open) => {
    let core: TestCore
    let service: HttpService
    before(async () => {
      core = await openCore(open, { gatewayLoopback: true })
      service = await httpService(core.place, { gatewayLoopback: true })
      open.atEnd(() => service.stop())
    })

    const show = async (link: JsonObject) => await payerAt(service.address).get(`/pay/${idOf(link)}`)

    it('says in live, before a number is typed, that it takes no payments', async () => {
      const { core: live } = await core.app.environment('live')
      const ask = async (method: Method, path: string, body: JsonObject) => {
        const answer = await live.handle({ method, path, body, principal: owner })
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200)
        return answer.body
      }
      const account = await ask('POST', '/processing_accounts', processingAccount())
      await ask('PUT', `/processing_accounts/${idOf(account)}`, { processing: { status: 'active' } })
      const shown = await show(
        await ask('POST', '/payment_links', { amount: 20, processing_id: idOf(account) }),
      )
      expect(wordsOf(shown)).to.include(NOBODY)
      expect([...shown.fields.keys()]).to.deep.equal([])
    })

    it('says that it takes no payments after its gateway has refused a typed number, which made no payment', async () => {
      const stripe = await openStripeServer(() => Date.now())
      open.atEnd(() => stripe.close())
      stripe.books.takesNumbers = false
      const manager = await service.key({ manage: true }, 'live')
      const ask = async (method: string, path: string, body: JsonObject) =>
        (await service.ask(manager, method, path, body)).body
      await ask('POST', '/admin/gateways', {
        name: 'stripe',
        kind: 'stripe',
        base_url: stripe.address,
        card_entry: true,
        credentials: { secret_key: SECRET_KEY },
      })
      const account = await ask('POST', '/processing_accounts', processingAccount())
      await ask('PUT', `/processing_accounts/${idOf(account)}`, { processing: { status: 'active' } })
      await ask('PUT', '/admin/gateway_routes', { default: 'stripe', processing_id: idOf(account) })
      const link = await ask('POST', '/payment_links', { amount: 20, processing_id: idOf(account) })
      const payer = payerAt(service.address)
      const form = await payer.get(`/pay/${idOf(link)}`)
      const refused = await payer.send(form, CARD)
      expect(refused.status).to.equal(503)
      expect(wordsOf(refused)).to.include(
        `This payment cannot be taken here now; nothing was paid. Tell ${String(account.name)}.`,
      )
      expect(refused.fields.get('key')).not.to.equal(form.fields.get('key'))
      const next = await payer.get(`/pay/${idOf(link)}`)
      expect(wordsOf(next)).to.include(NOBODY)
      expect([...next.fields.keys()]).to.deep.equal([])
      expect(stripe.books.intents).to.deep.equal([])
    })

    it('says that it takes no payments if its account may not, and offers card fields only with card_entry', async () => {
      const incomplete = await core.ok('POST', '/accounts', {
        name: 'New Books',
        type: 'processing',
        processing: { industry: 'books' },
      })
      const of = async (processing_id: string) =>
        await core.ok('POST', '/payment_links', { amount: 20, processing_id })
      expect(wordsOf(await show(await of(idOf(incomplete))))).to.include(NOBODY)
      const link = await of(await makeProcessing(core))
      expect((await show(link)).fields.has('card_number')).to.equal(true)
      // Sent to the process that shows the page, because others learn of gateways a moment later.
      const manager = await service.key({ manage: true })
      const manage = async (method: string, path: string, body: JsonObject = {}) =>
        (await service.ask(manager, method, path, body)).body
      const credentials = { secret_key: 'test_secret_key_x' }
      const base_url = 'http://127.0.0.1:9'
      const made = await manage('POST', '/admin/gateways', {
        name: 'up',
        kind: 'peer',
        base_url,
        credentials,
      })
      await manage('PUT', '/admin/gateway_routes', { default: 'up' })
      const untyped = await show(link)
      expect([...untyped.fields.keys()])
        .to.include('account_number')
        .and.not.to.include('card_number')
      await manage('PUT', `/admin/gateways/${idOf(made)}`, { card_entry: true })
      expect((await show(link)).fields.has('card_number')).to.equal(true)
      await manage('POST', `/admin/gateways/${idOf(made)}/pause`)
      expect(wordsOf(await show(link))).to.include(NOBODY)
    })
  })
})
