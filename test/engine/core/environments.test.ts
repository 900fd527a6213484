import { expect } from 'chai'
import { owner } from '../../../src/engine/core/request/principal.js'
import type { Environment } from '../../../src/engine/store/database/store.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { bankAccount, card, processingAccount } from '../../support/examples.js'
import { type HttpService, httpService } from '../../support/http.js'
import { pathOf, reachable } from './merchants.js'

const ENVIRONMENTS = ['test', 'live'] as const

onDatabases((open) => {
  describe('test and live', () => {
    let service: HttpService
    const keys = new Map<Environment, string>()
    const shops = new Map<Environment, JsonObject>()

    before(async () => {
      service = await httpService(await open.migrated())
      open.atEnd(() => service.stop())
      for (const environment of ENVIRONMENTS) {
        const key = await service.key({ manage: true }, environment)
        keys.set(environment, key)
        const shop = await service.ask(key, 'POST', '/processing_accounts', processingAccount(environment))
        expect(shop.status).to.equal(200)
        shops.set(environment, shop.body)
        const customer = {
          name: environment,
          primary_processing_id: String(shop.body.id),
          payment_methods: [card()],
        }
        expect((await service.ask(key, 'POST', '/customers', customer)).status).to.equal(200)
      }
      const payment = { type: 'payment', amount: 1, payment_method: bankAccount() }
      expect((await ask('test', 'POST', '/transactions', payment)).status).to.equal(200)
    })

    const ask = async (environment: Environment, method: string, path: string, body?: JsonObject) =>
      await service.ask(keys.get(environment) ?? '', method, path, body)
    const shopOf = (environment: Environment) => objectOf(shops.get(environment))

    for (const [here, there] of [ENVIRONMENTS, [...ENVIRONMENTS].reverse()]) {
      if (!here || !there) continue

      it(`the ${here} environment lists, filters and counts only its own objects`, async () => {
        const { body } = await ask(here, 'GET', '/accounts?fields=name&type=customer|processing')
        expect(body.values).to.deep.equal([{ name: here }, { name: here }])
        expect((await ask(here, 'GET', `/accounts?name=${there}`)).body.values).to.deep.equal([])
        const cards = await ask(here, 'GET', '/payment_methods?card[card_number]=4242424242424242')
        expect(valuesOf(cards.body)).to.have.length(1)
      })

      it(`the ${here} environment cannot read, change or delete an object of ${there}`, async () => {
        await eachCase(reachable, pathOf, async ({ plural }) => {
          const theirs = valuesOf((await ask(there, 'GET', `/${plural}`)).body)
          for (const path of theirs.map((object) => `/${plural}/${idOf(object)}`)) {
            const answers = [
              await ask(here, 'GET', path),
              await ask(here, 'PUT', path, {}),
              await ask(here, 'DELETE', path),
            ]
            expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404])
          }
          expect(valuesOf((await ask(there, 'GET', `/${plural}`)).body)).to.deep.equal(theirs)
        })
      })

      it(`a request in ${here} cannot name an id of ${there}`, async () => {
        const customer = { name: 'Eve', primary_processing_id: String(shopOf(there).id) }
        const answer = await ask(here, 'POST', '/customers', customer)
        expect([answer.status, answer.body.details]).to.deep.equal([
          400,
          { primary_processing_id: 'Not found' },
        ])
      })

      it(`a key of ${here} does not reveal whether a key of ${there} has the same prefix`, async () => {
        const key = keys.get(here) ?? ''
        const renamed = here === 'test' ? key.replace('test_', '') : `test_${key}`
        const { status, body } = await service.ask(renamed, 'GET', '/accounts')
        expect([status, body.error_type]).to.deep.equal([401, 'Unauthorized'])
      })

      it(`a key of ${here} cannot see, rotate or revoke a key of ${there}`, async () => {
        const theirs = valuesOf((await ask(there, 'GET', '/admin/keys')).body).map(idOf)
        expect(theirs).to.have.length(1)
        expect(valuesOf((await ask(here, 'GET', '/admin/keys')).body).map(idOf)).to.not.include.members(
          theirs,
        )
        for (const id of theirs) {
          expect((await ask(here, 'GET', `/admin/keys/${id}`)).status).to.equal(404)
          expect((await ask(here, 'POST', `/admin/keys/${id}/rotate`, {})).status).to.equal(404)
          expect((await ask(here, 'DELETE', `/admin/keys/${id}`)).status).to.equal(404)
        }
        expect((await ask(there, 'GET', '/accounts')).status).to.equal(200)
      })
    }

    it('have separate idempotency keys, even for the same operator', async () => {
      const made = []
      for (const environment of ENVIRONMENTS) {
        const { core } = await service.app.environment(environment)
        const request = {
          method: 'POST',
          path: '/customers',
          principal: owner,
          idempotencyKey: 'one',
        } as const
        made.push(await core.handle({ ...request, body: { name: environment } }))
      }
      expect(made.map(({ status, body, headers }) => [status, body.name, headers])).to.deep.equal([
        [200, 'test', {}],
        [200, 'live', {}],
      ])
    })

    it('a payment succeeds in test; in live it is refused and no part of it is stored', async () => {
      const pay = async (environment: Environment) =>
        await ask(environment, 'POST', '/transactions', {
          type: 'payment',
          amount: 1,
          processing_id: String(shopOf(environment).id),
          payment_method: card(),
        })
      expect((await pay('test')).body).to.include({ status: 'processed' })
      const methods = (await ask('live', 'GET', '/payment_methods')).body
      const refused = await pay('live')
      expect([refused.status, refused.body.error_type]).to.deep.equal([503, 'ServiceUnavailable'])
      expect((await ask('live', 'GET', '/transactions')).body.values).to.deep.equal([])
      expect((await ask('live', 'GET', '/payment_methods')).body).to.deep.equal(methods)
    })

    it('in live, a payout without earlier income needs a key with the manage permission', async () => {
      const gateway = { name: 'up', kind: 'peer', base_url: 'https://payments.example' }
      const secret = { credentials: { secret_key: 'secret_key_of_another_service' } }
      const added = await ask('live', 'POST', '/admin/gateways', { ...gateway, ...secret })
      expect(added.status, JSON.stringify(added.body)).to.equal(200)
      const routed = await ask('live', 'PUT', '/admin/gateway_routes', { default: 'up' })
      expect(routed.status).to.equal(200)
      const key = await service.key({}, 'live')
      for (const type of ['refund', 'credit']) {
        const money = { type, amount: 1, payment_method: card(), processing_id: String(shopOf('live').id) }
        const refused = await service.ask(key, 'POST', '/transactions', money)
        expect(refused.status, type).to.equal(403)
        expect(refused.body.error_description).to.contain('needs the permission manage in live')
      }
    })
  })
})
