import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method } from '../../../src/schema/resource.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, card, legalEntity, makeProcessing } from '../../support/examples.js'
import { narrowed } from './merchants.js'

/** A fixed time, so that objects before and after a change differ only in that change. */
const NOW = Date.UTC(2027, 0, 4, 15)

onDatabases((open) => {
  describe("another merchant's payment method that paid a key's account", () => {
    let core: TestCore
    let own: string
    let payment: string
    let method: JsonObject
    before(async () => {
      core = await openCore(open, { clock: { now: () => NOW } })
      own = await makeProcessing(core)
      const customer = await core.ok('POST', '/customers', {
        name: 'Zoe Hart',
        primary_processing_id: await makeProcessing(core),
        payment_methods: [
          {
            ...card(),
            default_payment_method: true,
            legal_entity: legalEntity(),
            processing_agreement: { type: 'recurring' },
          },
        ],
      })
      payment = idOf(
        await core.ok('POST', '/transactions', {
          type: 'payment',
          amount: 10,
          processing_id: own,
          customer_id: idOf(customer),
        }),
      )
      const paid = await core.ok('GET', `/transactions/${payment}`)
      method = objectOf(paid.payment_method)
    })

    const ask = async (verb: Method, path: string, body?: Json, query?: string) =>
      await core.send(verb, path, body, { query, principal: narrowed(own) })

    it('is shown with the payment', async () => {
      const { body } = await ask('GET', `/payment_methods/${method.id}`)
      expect(body).to.include({ id: method.id, description: method.description })
    })

    it('hides its owner and the agreement of its holder', async () => {
      const entity = idOf(objectOf(method.legal_entity))
      const agreement = idOf(objectOf(method.processing_agreement))
      const { body } = await ask('GET', `/transactions/${payment}`)
      expect(objectOf(body.payment_method)).to.include({ legal_entity: null, processing_agreement: null })
      const hidden = [`/legal_entities/${entity}`, `/processing_agreements/${agreement}`]
      for (const path of hidden) {
        for (const verb of ['GET', 'PUT', 'DELETE'] as const)
          expect((await ask(verb, path, {})).status, `${verb} ${path}`).to.equal(404)
      }
      for (const list of ['legal_entity_owners', 'stakeholders', 'processing_agreements'])
        expect(valuesOf((await ask('GET', `/${list}`)).body).filter(isOf(entity))).to.deep.equal([])
      const asked = await ask(
        'GET',
        '/transactions',
        undefined,
        'payment_method[legal_entity][legal_name]=Park Books LLC',
      )
      expect(asked.body.values).to.deep.equal([])
    })

    it('can be sent back with its payment as it was read, but not changed', async () => {
      const customer = await core.ok('POST', '/customers', {
        name: 'Ida Lund',
        primary_processing_id: await makeProcessing(core),
        payment_methods: [{ ...card(), default_payment_method: true }],
      })
      const { id = null } = await core.ok('POST', '/transactions', {
        type: 'payment',
        amount: 10,
        processing_id: own,
        customer_id: idOf(customer),
      })
      const path = `/transactions/${id}`
      const { body: whole } = await ask('GET', path)
      const put = (lent: JsonObject) =>
        ask('PUT', path, {
          ...whole,
          description: 'new',
          payment_method: { ...objectOf(whole.payment_method), ...lent },
        })
      const changes: JsonObject[] = [{ default_payment_method: false }, { account_holder: 'Eve' }]
      for (const change of changes) expect((await put(change)).status).to.equal(403)
      expect((await put({})).body).to.deep.equal({ ...whole, description: 'new' })
    })

    it('shows its legal entity only if the key created the method itself', async () => {
      const brought = {
        ...bankAccount(),
        legal_entity: legalEntity(),
        processing_agreement: { type: 'one_time' },
      }
      const made = await ask('POST', '/transactions', { type: 'payment', amount: 5, payment_method: brought })
      expect(made.status, JSON.stringify(made.body)).to.equal(200)
      const { legal_entity: entity } = objectOf(made.body.payment_method)
      expect((await ask('GET', `/legal_entities/${idOf(objectOf(entity))}`)).status).to.equal(200)
    })
  })
})

function isOf(entity: string) {
  return ({ legal_entity_id: id }: JsonObject) => id === entity
}
