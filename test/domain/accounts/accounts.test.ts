import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import {
  bankAccount,
  card,
  legalEntity,
  makeProcessing,
  owner,
  pay,
  processingAccount,
} from '../../support/examples.js'
import { eventsOf } from '../payments/books.js'

const narrowed = (...processingIds: string[]): Principal => ({
  kind: 'key',
  id: 'key_1',
  manage: false,
  processingIds,
})

describe('accounts', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const statusOf = async (id: string) => (await core.ok('GET', `/processing_accounts/${id}`)).status

    it('that take payments get settings with documented defaults', async () => {
      const account = await core.ok('POST', '/processing_accounts', { name: 'Bare' })
      expect(account).to.include({ object: 'processing_account', type: 'processing', status: 'incomplete' })
      expect(objectOf(objectOf(account.processing).settings)).to.include({
        credit_trans_rate: 2.9,
        credit_trans_cost: 0.3,
        billing_preference: 'netted_daily',
        card_processing_enabled: true,
      })
    })

    it('become pending when their requirements are complete, in any order', async () => {
      const whole = idOf(await core.ok('POST', '/processing_accounts', processingAccount()))
      expect(await statusOf(whole)).to.equal('pending')

      const account = idOf(
        await core.ok('POST', '/processing_accounts', { name: 'Slowly', processing: { industry: 'tea' } }),
      )
      const { owners: _owners, ...entity } = legalEntity()
      const changed = await core.ok('PUT', `/processing_accounts/${account}`, { legal_entity: entity })
      expect(changed.status).to.equal('incomplete')
      const entityId = idOf(objectOf(changed.legal_entity))
      await core.ok('POST', `/legal_entities/${entityId}/owners`, owner())
      expect(await statusOf(account)).to.equal('incomplete')
      const bank = idOf(await core.ok('POST', '/payment_methods', { ...bankAccount(), account_id: account }))
      expect(await statusOf(account)).to.equal('pending')
      await core.ok('DELETE', `/payment_methods/${bank}`)
      expect(await statusOf(account)).to.equal('incomplete')
      expect(await eventsOf(core, account)).to.deep.equal([
        'processing_status pending',
        'processing_status incomplete',
      ])
    })

    it('have the status set by the operator, and leave action_needed after a change', async () => {
      const account = await makeProcessing(core)
      const say = (status: string) =>
        core.ok('PUT', `/processing_accounts/${account}`, { processing: { status } })
      expect((await say('active')).status).to.equal('active')
      expect((await core.ok('PUT', `/processing_accounts/${account}`, { name: 'Renamed' })).status).to.equal(
        'active',
      )
      expect((await say('action_needed')).status).to.equal('action_needed')
      expect((await core.ok('PUT', `/processing_accounts/${account}`, { name: 'Again' })).status).to.equal(
        'pending',
      )
      const events = [
        'processing_status active',
        'processing_status action_needed',
        'processing_status pending',
      ]
      expect(await eventsOf(core, account)).to.deep.equal(events)
      const key = await core.send(
        'PUT',
        `/processing_accounts/${account}`,
        { processing: { status: 'active' } },
        { principal: narrowed(account) },
      )
      expect(key.status).to.equal(400)
    })

    it('without an industry can be changed, and keep it once set', async () => {
      const made = await core.ok('POST', '/processing_accounts', { name: 'Plain' })
      const path = `/processing_accounts/${idOf(made)}`
      expect(await core.ok('PUT', path, { ...made, name: 'Plainer' })).to.include({ name: 'Plainer' })
      await core.ok('PUT', path, { processing: { industry: 'books' } })
      const { status, body } = await core.send('PUT', path, { processing: { industry: null } })
      expect([status, body.details]).to.deep.equal([400, { processing: { industry: 'Required' } }])
    })

    it('have owners whose shares are at most 100 % together, in any order of changes', async () => {
      const account = await core.ok('POST', '/processing_accounts', processingAccount())
      const entity = idOf(objectOf(account.legal_entity))
      const second = await core.ok('POST', `/legal_entities/${entity}/owners`, owner(40))
      const above = await core.send('POST', `/legal_entities/${entity}/owners`, owner(0.0001))
      expect(above.body.details).to.deep.equal({ ownership: 'Shares of the owners exceed 100' })
      const owners = valuesOf(await core.ok('GET', `/legal_entities/${entity}/owners`))
      const first = owners.find(({ id }) => id !== second.id)
      const swapped = [
        { id: second.id ?? null, ownership: 60 },
        { id: first?.id ?? null, ownership: 40 },
      ]
      await core.ok('PUT', `/legal_entities/${entity}`, { owners: swapped })
      const tooMuch = [
        { id: second.id ?? null, ownership: 61 },
        { id: first?.id ?? null, ownership: 40 },
      ]
      const refused = await core.send('PUT', `/legal_entities/${entity}`, { owners: tooMuch })
      expect(refused.body.details).to.deep.equal({ owners: 'Shares of the owners exceed 100' })
    })

    it('of payers have none of the attributes of processing accounts', async () => {
      const answer = await core.send('POST', '/customers', {
        name: 'Ada',
        processing: { industry: 'tea' },
        legal_entity: legalEntity(),
      })
      expect(answer.body.details).to.deep.equal({
        processing: 'Only for processing accounts',
        legal_entity: 'Only for processing accounts',
      })
    })

    it('created with a narrowed key belong to the only account of the key, or must name an account of the key', async () => {
      const a = await makeProcessing(core, 'A')
      const b = await makeProcessing(core, 'B')
      const made = await core.ok('POST', '/customers', { name: 'Ada' }, { principal: narrowed(a) })
      expect(made.primary_processing_id).to.equal(a)
      const unsaid = await core.send('POST', '/customers', { name: 'Ada' }, { principal: narrowed(a, b) })
      expect(unsaid.body.details).to.deep.equal({ primary_processing_id: 'Required' })
      const foreign = { name: 'Ada', primary_processing_id: b }
      expect((await core.send('POST', '/customers', foreign, { principal: narrowed(a) })).status).to.equal(
        403,
      )
    })

    it('can be deleted only while no money went to them', async () => {
      const account = await makeProcessing(core)
      await pay(core, account, 5)
      expect((await core.send('DELETE', `/processing_accounts/${account}`)).status).to.equal(400)
      const unused = await makeProcessing(core)
      await core.ok('DELETE', `/processing_accounts/${unused}`)
      expect((await core.send('GET', `/accounts/${unused}`)).status).to.equal(404)
    })
  })
})

describe('payment methods', () => {
  onDatabases((open) => {
    let core: TestCore
    let customer: string
    before(async () => {
      core = await openCore(open)
      customer = idOf(await core.ok('POST', '/customers', { name: 'Ada Park' }))
    })

    it('show brand, kind and last digits, but never the number or code', async () => {
      const method = await core.ok('POST', '/payment_methods', { ...card(), account_id: customer })
      expect(method).to.include({ description: 'Visa ending in 4242', account_id: customer })
      expect(method.card).to.deep.equal({
        card_brand: 'visa',
        card_number: 'xxxxxxxxxxxx4242',
        card_type: 'credit',
        expiry: '12/39',
      })
      const bank = await core.ok('POST', '/payment_methods', bankAccount())
      expect(bank).to.include({ description: 'Checking account ending in 7890' })
    })

    it('have one default per account', async () => {
      const make = async () =>
        idOf(
          await core.ok('POST', '/payment_methods', {
            ...card(),
            account_id: customer,
            default_payment_method: true,
          }),
        )
      const first = await make()
      const second = await make()
      const defaults = async () => {
        const query = `account_id=${customer}&default_payment_method=true`
        return valuesOf(await core.ok('GET', '/payment_methods', undefined, { query })).map(idOf)
      }
      expect(await defaults()).to.deep.equal([second])
      await core.ok('PUT', `/payment_methods/${first}`, { default_payment_method: true })
      expect(await defaults()).to.deep.equal([first])
    })

    it('cannot move to another account', async () => {
      const other = idOf(await core.ok('POST', '/customers', { name: 'Bob' }))
      const method = idOf(await core.ok('POST', '/payment_methods', { ...card(), account_id: customer }))
      const answer = await core.send('PUT', `/payment_methods/${method}`, { account_id: other })
      expect(answer.body.details).to.deep.equal({ account_id: 'Belongs to another account' })
    })

    it('accept a new expiry that is not in the past', async () => {
      const method = idOf(await core.ok('POST', '/payment_methods', card()))
      const renewed = await core.ok('PUT', `/payment_methods/${method}`, { card: { expiry: '01/40' } })
      expect(objectOf(renewed.card)).to.include({ expiry: '01/40' })
      const past = await core.send('PUT', `/payment_methods/${method}`, { card: { expiry: '01/20' } })
      expect(past.body.details).to.deep.equal({ card: { expiry: 'Expired' } })
    })

    it('for a single payment can be given the name of their holder later, but cannot be reused', async () => {
      const processing = await makeProcessing(core)
      const payment = await pay(core, processing, 5, { payment_method: { ...card(), keep_active: false } })
      const path = `/payment_methods/${payment.payment_method_id}`
      expect(await core.ok('PUT', path, { account_holder: 'Ada Park' })).to.include({
        account_holder: 'Ada Park',
      })
      const revived = await core.send('PUT', path, { keep_active: true })
      expect(revived.body.details).to.deep.equal({ keep_active: 'The number was not kept' })
    })
  })
})
