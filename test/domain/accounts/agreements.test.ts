import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, legalEntity, makeCustomer, makeProcessing } from '../../support/examples.js'

const AGREED: JsonObject = { type: 'recurring', agreed_at: '2026-02-01 12:00:00', terms: 'Each month, 29.99' }
const SPEAKER: JsonObject = { full_name: 'Eve Lee', role: 'representative' }

onDatabases((open) => {
  let core: TestCore
  let processing: string
  before(async () => {
    core = await openCore(open)
    processing = await makeProcessing(core)
  })
  const narrowed = () => ({ kind: 'key', id: 'key_1', manage: false, processingIds: [processing] }) as const

  describe("the agreement of a payment method's holder", () => {
    let method: string
    before(async () => {
      const account_id = await makeCustomer(core, processing)
      method = idOf(await core.ok('POST', '/payment_methods', { ...card(), account_id }))
    })

    it('is created and changed together with the method, and readable below the path of the method', async () => {
      const path = `/payment_methods/${method}`
      const given = await core.ok('PUT', path, { processing_agreement: AGREED })
      const agreement = objectOf(given.processing_agreement)
      expect(agreement).to.include({ object: 'processing_agreement', status: 'active', ...AGREED })
      const id = idOf(agreement)
      expect(await core.ok('GET', `${path}/processing_agreement`)).to.deep.equal(agreement)
      expect(await core.ok('GET', `/processing_agreements/${id}`)).to.deep.equal(agreement)
      const revoked = await core.ok('PUT', path, { processing_agreement: { id, status: 'revoked' } })
      expect(objectOf(revoked.processing_agreement)).to.include({ id, status: 'revoked' })
      const query = 'processing_agreement[status]=revoked&fields=id'
      const found = await core.ok('GET', '/payment_methods', undefined, { query })
      expect(found.values).to.deep.equal([{ id: method }])
    })

    it('is sent with a payment by a key that may only create payments', async () => {
      const payment = await core.ok(
        'POST',
        '/transactions',
        { type: 'payment', amount: 5, payment_method: { ...card(), processing_agreement: AGREED } },
        { principal: narrowed() },
      )
      const agreement = objectOf(objectOf(payment.payment_method).processing_agreement)
      const path = `/processing_agreements/${idOf(agreement)}`
      const own = await core.send('GET', path, undefined, { principal: narrowed() })
      expect([own.status, own.body]).to.deep.equal([200, agreement])
      const elsewhere = { ...narrowed(), processingIds: [await makeProcessing(core)] }
      expect((await core.send('GET', path, undefined, { principal: elsewhere })).status).to.equal(404)
    })

    it('belongs to no account by itself, so a narrowed key cannot see it directly', async () => {
      const { status } = await core.send('POST', '/processing_agreements', AGREED, { principal: narrowed() })
      expect(status).to.equal(403)
      await core.ok('POST', '/processing_agreements', AGREED)
    })
  })

  describe('representatives of a legal entity', () => {
    let entity: string
    before(async () => {
      const shown = await core.ok('GET', `/processing_accounts/${processing}`)
      entity = idOf(objectOf(shown.legal_entity))
    })

    it('are created with the legal entity, and added and removed below its path', async () => {
      const path = `/legal_entities/${entity}/stakeholders`
      const added = await core.ok('POST', path, SPEAKER, { principal: narrowed() })
      expect(added).to.include({ object: 'stakeholder', legal_entity_id: entity, ...SPEAKER })
      expect(valuesOf(await core.ok('GET', path))).to.deep.equal([added])
      const renamed: JsonObject = {
        stakeholders: [
          { id: idOf(added), title: 'Director' },
          { ...SPEAKER, role: 'contact' },
        ],
      }
      const query = 'fields=stakeholders[role],stakeholders[title]'
      const changed = await core.ok('PUT', `/legal_entities/${entity}`, renamed, { query })
      expect(changed.stakeholders).to.deep.equal([
        { role: 'representative', title: 'Director' },
        { role: 'contact', title: null },
      ])
      await core.ok('DELETE', `${path}/${idOf(added)}`)
      expect((await core.send('GET', `/stakeholders/${idOf(added)}`)).status).to.equal(404)
      const whole = await core.ok('POST', '/processing_accounts', {
        name: 'Another',
        legal_entity: { ...legalEntity(), stakeholders: SPEAKER },
      })
      const id = idOf(objectOf(whole.legal_entity))
      expect(
        valuesOf(await core.ok('GET', '/stakeholders', undefined, { query: `legal_entity_id=${id}` })),
      ).to.have.length(1)
    })

    it('need an existing legal entity', async () => {
      const answers = [
        await core.send('POST', '/stakeholders', SPEAKER),
        await core.send('POST', '/stakeholders', { ...SPEAKER, legal_entity_id: 'le_nobody' }),
        await core.send('POST', '/legal_entities/le_nobody/stakeholders', SPEAKER),
      ]
      expect(answers.map(({ status, body }) => [status, body.details])).to.deep.equal([
        [400, { legal_entity_id: 'Required' }],
        [400, { legal_entity_id: 'Not found' }],
        [404, {}],
      ])
    })
  })
})
