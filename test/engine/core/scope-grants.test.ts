import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import { isDefault, type Method } from '../../../src/schema/resource.js'
import { idOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { bankAccount, card, legalEntity, owner } from '../../support/examples.js'
import { type Merchant, makeMerchant, pathOf, reachable, relationsOf } from './merchants.js'

type Grants = NonNullable<Principal['grants']>
type Asked = readonly [method: Method, path: string, body?: Json, query?: string]

const VERBS = ['GET', 'POST', 'PUT', 'DELETE'] as const

const granted = (grants: Grants): Principal => ({ kind: 'key', id: 'key_granted', manage: false, grants })

onDatabases((open) => {
  describe('a grant of a key', () => {
    let core: TestCore
    let shop: Merchant
    let entity: string
    let person: string

    before(async () => {
      core = await openCore(open)
      shop = await makeMerchant(core)
      const account = await core.ok('GET', `/processing_accounts/${shop.processing}`, undefined, {
        query: 'fields=legal_entity[id],legal_entity[owners][id]',
      })
      const { id, owners } = objectOf(account.legal_entity)
      entity = String(id)
      person = idOf(objectOf(Object.values(owners ?? {})[0]))
    })

    /** The missing verb and path from a 403; otherwise `granted`. */
    const lacking = async (grants: Grants, [method, path, body, query]: Asked) => {
      const principal = granted(grants)
      const answer = await core.send(method, path, body, { query, principal, dryRun: true })
      return answer.status === 403 ? answer.body.error_description : 'granted'
    }

    it('covers one verb on one path, and no other view of that resource', async () => {
      await eachCase(reachable, pathOf, async ({ plural }) => {
        const pairs = VERBS.flatMap((verb) => VERBS.map((asked) => [verb, asked] as const))
        for (const [verb, asked] of pairs) {
          const description = await lacking({ [plural]: [verb] }, [asked, `/${plural}`])
          const refusal = `The key may not ${asked} /${plural}`
          expect(description === refusal, `${verb} ${asked}: ${description}`).to.equal(asked !== verb)
        }
        const others = Object.fromEntries(reachable.map((other) => [other.plural, VERBS]))
        const { [plural]: _own, ...rest } = others
        expect(await lacking(rest, ['GET', `/${plural}`])).to.equal(`The key may not GET /${plural}`)
      })
    })

    it('covers no path if its list is empty', async () => {
      for (const { plural } of reachable) {
        expect(await lacking({}, ['GET', `/${plural}`])).to.equal(`The key may not GET /${plural}`)
      }
    })

    it('allows a request to a nested path only together with read on the parent', async () => {
      const path = `/customers/${shop.customer}/payment_methods`
      const asked: [Method, string, Json?][] = [
        ['GET', path],
        ['POST', path, bankAccount()],
        ['GET', `${path}/${shop.method}`],
        ['PUT', `${path}/${shop.method}`, { account_holder: 'Ada' }],
        ['DELETE', `${path}/${shop.method}`],
      ]
      for (const [method, nested, body] of asked) {
        const both = { payment_methods: [method], customers: ['GET'] } as const
        expect(await lacking(both, [method, nested, body]), method).to.equal('granted')
        expect(await lacking({ payment_methods: [method] }, [method, nested, body])).to.equal(
          'The key may not GET /customers',
        )
        expect(
          await lacking({ customers: ['GET', 'POST', 'PUT', 'DELETE'] }, [method, nested, body]),
        ).to.equal(`The key may not ${method} /payment_methods`)
      }
    })

    describe('for a relation', () => {
      const relations = reachable.flatMap((from) =>
        relationsOf(from).map((relation) => ({ ...relation, from: from.plural })),
      )
      it('is included if the relation is shown by default, and is a separate grant otherwise', async () => {
        await eachCase(
          relations,
          ({ name, from }) => `${name} of /${from}`,
          async ({ name, field, to, from }) => {
            const expected = isDefault(field) ? 'granted' : `The key may not GET /${to.plural}`
            const order = field.kind === 'one' ? [`order_by=${name}[id]`] : []
            for (const query of [`fields=${name}`, `fields=id,${name}[id]`, `${name}[id]=x`, ...order]) {
              const asked: Asked = ['GET', `/${from}`, undefined, query]
              expect(await lacking({ [from]: ['GET'] }, asked), query).to.equal(expected)
              expect(await lacking({ [from]: ['GET'], [to.plural]: ['GET'] }, asked)).to.equal('granted')
            }
          },
        )
      })

      it('is checked at every depth and in the answers of writes', async () => {
        const accounts = { processing_accounts: ['GET', 'PUT'], transactions: ['GET'] } as const
        const owners = 'The key may not GET /legal_entity_owners'
        const deep: Asked[] = [
          ['GET', '/processing_accounts', undefined, 'fields=legal_entity[owners][ssn]'],
          ['GET', '/processing_accounts', undefined, 'legal_entity[owners][full_name]=Ada Park'],
          ['GET', '/transactions', undefined, 'fields=processing[legal_entity][owners]'],
          ['GET', '/transactions', undefined, 'processing[legal_entity][owners][city]=?*a'],
          ['PUT', `/processing_accounts/${shop.processing}`, {}, 'fields=legal_entity[owners]'],
        ]
        for (const asked of deep) expect(await lacking(accounts, asked), asked[3]).to.equal(owners)
        const settings: Asked = [
          'GET',
          '/processing_accounts',
          undefined,
          'processing[settings][pricing]=tiered',
        ]
        expect(await lacking(accounts, settings)).to.equal('granted')
      })
    })

    it('covers objects written through a tree as at their own path', async () => {
      const path = `/processing_accounts/${shop.processing}`
      const entityBody = { id: entity }
      const grants = { processing_accounts: ['GET', 'PUT', 'POST'], customers: ['PUT'] } as const
      const trees: [JsonObject, string][] = [
        [{ legal_entity: { ...entityBody, city: 'Rome' } }, 'PUT /legal_entities'],
        [{ legal_entity: legalEntity() }, 'POST /legal_entities'],
        [{ legal_entity: { ...entityBody, owners: [] } }, 'DELETE /legal_entity_owners'],
        [
          { legal_entity: { ...entityBody, owners: [{ id: person }, owner(10)] } },
          'POST /legal_entity_owners',
        ],
        [
          { legal_entity: { ...entityBody, owners: [{ id: person, city: 'Rome' }] } },
          'PUT /legal_entity_owners',
        ],
        [{ payment_methods: [] }, 'DELETE /payment_methods'],
      ]
      for (const [tree, lacks] of trees) {
        expect(await lacking(grants, ['PUT', path, tree]), lacks).to.equal(`The key may not ${lacks}`)
        const [verb, plural] = lacks.split(' /')
        const all = {
          ...grants,
          legal_entities: ['GET'],
          [plural ?? '']: ['GET', 'POST', 'PUT', 'DELETE'],
        } as const
        const answer = await lacking(all, ['PUT', path, tree])
        expect(answer, `${verb} ${plural}`).to.not.equal(`The key may not ${lacks}`)
      }
      const made: Asked = ['POST', '/processing_accounts', { name: 'New', payment_methods: [bankAccount()] }]
      expect(await lacking(grants, made)).to.equal('The key may not POST /payment_methods')
    })

    it('is not needed for a tree that is sent back as it was read', async () => {
      const grants = { transactions: ['PUT'], processing_accounts: ['PUT'] } as const
      const { created_at, modified_at, ...paid } = await core.ok('GET', `/transactions/${shop.payment}`)
      const { payment_method: method, ...account } = paid
      const { billing_address, ...kept } = objectOf(method)
      expect(
        await lacking(grants, ['PUT', `/transactions/${shop.payment}`, { ...account, payment_method: kept }]),
      ).to.equal('granted')
      const { status, body } = await core.send('GET', `/processing_accounts/${shop.processing}`)
      expect(status).to.equal(200)
      const { created_at: _c, modified_at: _m, ...whole } = body
      expect(await lacking(grants, ['PUT', `/processing_accounts/${shop.processing}`, whole])).to.equal(
        'granted',
      )
    })

    it('for payments covers the payment method sent with a payment, but no customer', async () => {
      const grants = { transactions: ['POST'] } as const
      const payment = { type: 'payment', amount: 1, processing_id: shop.processing, payment_method: card() }
      expect(await lacking(grants, ['POST', '/transactions', payment])).to.equal('granted')
      const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: shop.payment }] }
      expect(await lacking(grants, ['POST', '/transactions', refund])).to.equal('granted')
      const withCustomer = { ...payment, customer: { name: 'Eve' } }
      expect(await lacking(grants, ['POST', '/transactions', withCustomer])).to.equal(
        'The key may not POST /customers',
      )
      expect(
        await lacking({ ...grants, customers: ['POST'] }, ['POST', '/transactions', withCustomer]),
      ).to.equal('granted')
    })
  })
})
