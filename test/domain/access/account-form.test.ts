import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, legalEntity, processingAccount } from '../../support/examples.js'
import { Checkout } from './checkout.js'

onDatabases((open) => {
  describe('a client key for processing_account_form', () => {
    let checkout: Checkout
    before(async () => {
      checkout = await Checkout.open(open)
      open.atEnd(() => checkout.service.stop())
    })

    const ask = (key: string, method: string, path: string, body?: JsonObject) =>
      checkout.service.ask(key, method, path, body)
    const form = (options: JsonObject = {}) => checkout.make({ intent: { processing_account_form: options } })
    const count = async () =>
      listOf((await ask(checkout.secret, 'GET', '/processing_accounts')).body.values).length

    it('creates one processing account with legal entity, owner and bank account, and can read its state', async () => {
      const key = await form()
      const { status, body } = await ask(key, 'POST', '/processing_accounts', processingAccount('New Books'))
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body).to.have.all.keys(['object', 'id', 'name', 'status', 'created_at'])
      expect(body).to.include({ name: 'New Books', status: 'pending' })
      const path = `/processing_accounts/${body.id}?fields=*,legal_entity[owners],payment_methods`
      const made = (await ask(checkout.secret, 'GET', path)).body
      const entity = objectOf(made.legal_entity)
      expect(String(entity.ein)).to.match(/^x+\d{4}$/)
      expect(String(objectOf(listOf(entity.owners)[0]).ssn)).to.match(/^x+\d{4}$/)
      expect(objectOf(listOf(made.payment_methods)[0])).to.include({ type: 'bank_account' })
    })

    it('may not set attributes reserved to operators, or name existing objects', async () => {
      const key = await form()
      const before = await count()
      const { account, entity } = await existing()
      const whole = processingAccount('Nobody')
      const cases: readonly JsonObject[] = [
        { ...whole, processing: { industry: 'books', status: 'active' } },
        { ...whole, processing: { industry: 'books', payouts: 'none' } },
        { ...whole, processing: { industry: 'books', settings: { pricing: 'flat_rate' } } },
        { ...whole, parent_org_id: 'acct_org' },
        { ...whole, legal_entity: null, legal_entity_id: entity },
        { ...whole, legal_entity: { id: entity } },
        { ...whole, legal_entity: { ...legalEntity(), stakeholders: [{}] } },
        { ...whole, payment_methods: [{ ...bankAccount(), account_id: account }] },
        { ...whole, payment_methods: [card()] },
        { ...whole, attrs: { a: 1 } },
      ]
      for (const body of cases) {
        const answer = await ask(key, 'POST', '/processing_accounts', body)
        expect([400, 403], JSON.stringify(body)).to.include(answer.status)
      }
      expect(await count()).to.equal(before)
    })

    const existing = async () => {
      const { body } = await ask(
        checkout.secret,
        'GET',
        `/processing_accounts/${checkout.shop}?fields=*,legal_entity_id`,
      )
      return { account: String(body.id), entity: String(body.legal_entity_id) }
    }

    it('adds an account only to the legal entity that its intent names', async () => {
      const { entity } = await existing()
      const key = await form({ legal_entity_id: entity })
      const body = { name: 'Second', processing: { industry: 'books' }, payment_methods: [bankAccount()] }
      expect(
        (await ask(key, 'POST', '/processing_accounts', { ...body, legal_entity: legalEntity() })).status,
      ).to.equal(400)
      const other = await ask(key, 'POST', '/processing_accounts', { ...body, legal_entity_id: 'le_other' })
      expect(other.status).to.equal(403)
      const made = await ask(key, 'POST', '/processing_accounts', { ...body, legal_entity_id: entity })
      expect(made.body, JSON.stringify(made.body)).to.include({ name: 'Second', status: 'pending' })
      const unknown = await ask(checkout.secret, 'POST', '/access_tokens', {
        type: 'client',
        intent: { processing_account_form: { legal_entity_id: 'le_nobody' } },
      })
      expect([unknown.status, unknown.body.details]).to.deep.equal([
        400,
        { intent: { processing_account_form: { legal_entity_id: 'Not found' } } },
      ])
    })

    it('cannot be created by a key that may not create accounts itself', async () => {
      const narrow = await checkout.service.key({
        grants: { access_tokens: ['POST'], transactions: ['POST'] },
      })
      const refused = await ask(narrow, 'POST', '/access_tokens', {
        type: 'client',
        intent: { processing_account_form: {} },
      })
      expect(refused.status).to.equal(403)
      const narrowed = await checkout.service.key({ processing_ids: [checkout.shop] })
      const key = await ask(narrowed, 'POST', '/access_tokens', {
        type: 'client',
        intent: { processing_account_form: {} },
      })
      expect(key.status).to.equal(403)
    })

    it('is refused from a page of another origin', async () => {
      const preflight = await fetch(`${checkout.service.address}/processing_accounts`, {
        method: 'OPTIONS',
        headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
      })
      expect(preflight.headers.get('access-control-allow-methods')).to.equal(null)
    })
  })
})
