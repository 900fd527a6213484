import { expect } from 'chai'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method, Resource } from '../../../src/schema/resource.js'
import { idOf, list, openCore, type SendOptions, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { bankAccount, card } from '../../support/examples.js'
import { inPart, partOfCommit } from './access/part-of-commit.js'
import {
  contentsOf,
  firstOf,
  type Merchant,
  makeMerchant,
  narrowed,
  pathOf,
  reachable,
  referencesOf,
  relationsOf,
  unknownLike,
} from './merchants.js'

type Asked = readonly [method: Method, path: string, body?: Json, query?: string]

/** Every request to an object by its id, for any resource. `mine` is an object of the caller. */
function waysTo(resource: Resource, id: string, mine: string): Asked[] {
  const { plural } = resource
  const change = { attrs: { touched: true } }
  const own: Asked[] = [
    ['GET', `/${plural}/${id}`],
    ['GET', `/${plural}/${id}`, undefined, 'fields=id'],
    ['GET', `/${plural}`, undefined, `id=${id}`],
    ['GET', `/${plural}`, undefined, `id=!${id}&fields=id`],
    ['PUT', `/${plural}/${id}`, {}],
    ['PUT', `/${plural}/${id}`, change],
    ['PUT', `/${plural}`, list([{ id, ...change }])],
    ['PUT', `/${plural}`, list([{ id: mine }, { id, ...change }])],
    ['PUT', `/${plural}`, change, `mode=query&id=${id}`],
    ['DELETE', `/${plural}/${id}`],
    ['DELETE', `/${plural}`, list([{ id }])],
    ['DELETE', `/${plural}`, undefined, `mode=query&id=${id}`],
    ['POST', `/${plural}/${id}/void`, {}],
  ]
  const related = relationsOf(resource).flatMap(({ name }): Asked[] => [
    ['GET', `/${plural}/${id}/${name}`],
    ['GET', `/${plural}/${id}/${name}/${mine}`],
    ['POST', `/${plural}/${id}/${name}`, { ...bankAccount() }],
  ])
  return [...own, ...related]
}

/**
 * Every request that refers to an object from another resource. `mine` is the caller's object of that
 * resource.
 */
function waysToName(from: Resource, to: Resource, id: string, mine: string): Asked[] {
  const { plural } = from
  const named = referencesOf(from).filter((reference) => reference.to.name === to.name)
  const related = relationsOf(from).filter((relation) => relation.to.name === to.name)
  return [
    ...named.flatMap(({ name }): Asked[] => [
      ['GET', `/${plural}`, undefined, `${name}=${id}`],
      ['PUT', `/${plural}/${mine}`, { [name]: id }],
      ['PUT', `/${plural}`, { [name]: id }, `mode=query&id=${mine}`],
    ]),
    ...related.flatMap(({ name, field }): Asked[] => [
      ['GET', `/${plural}`, undefined, `${name}[id]=${id}`],
      ['GET', `/${plural}/${mine}/${name}/${id}`],
      ['PUT', `/${plural}/${mine}/${name}/${id}`, { attrs: { touched: true } }],
      ['DELETE', `/${plural}/${mine}/${name}/${id}`],
      ['PUT', `/${plural}/${mine}`, { [name]: field.kind === 'many' ? [{ id }] : { id } }],
    ]),
  ]
}

/** References that only payments have. */
function paymentsNaming(foreign: (plural: string) => string): Asked[] {
  const pay = (more: JsonObject): Asked => ['POST', '/transactions', { type: 'payment', amount: 1, ...more }]
  const refund = (more: JsonObject): Asked => pay({ type: 'refund', ...more })
  return [
    pay({ payment_method: card(), customer_id: foreign('customers') }),
    pay({ customer: { id: foreign('customers') }, payment_method: card() }),
    pay({ customer_id: foreign('customers') }),
    pay({ payment_method_id: foreign('payment_methods') }),
    pay({ payment_method: { id: foreign('payment_methods') } }),
    pay({ payment_method: { ...card(), account_id: foreign('customers') } }),
    pay({ payment_method: { ...card(), account_id: foreign('processing_accounts') } }),
    pay({ payment_method: card(), processing_id: foreign('processing_accounts') }),
    pay({ payment_method: card(), processing: { id: foreign('processing_accounts') } }),
    pay({
      payment_method: card(),
      customer: { name: 'Eve', primary_processing_id: foreign('processing_accounts') },
    }),
    refund({ ledger: [{ assoc_transaction_id: foreign('transactions') }] }),
    refund({ ledger: { assoc_transaction_id: foreign('transactions') } }),
    refund({ payment_method_id: foreign('payment_methods') }),
    pay({ type: 'credit', payment_method_id: foreign('payment_methods') }),
    ['POST', '/customers', { name: 'Eve', primary_processing_id: foreign('processing_accounts') }],
    [
      'POST',
      '/customers',
      list([{ name: 'Eve' }, { name: 'Eve', primary_processing_id: foreign('accounts') }]),
    ],
    ['POST', '/payment_methods', { ...card(), account_id: foreign('accounts') }],
    ['POST', '/payment_methods', { ...card(), legal_entity: { id: foreign('legal_entities') } }],
  ]
}

const REFUSED = [400, 403, 404]

onDatabases((open) => {
  describe('a write with a narrowed key', () => {
    let core: TestCore
    let own: Merchant
    let other: Merchant

    before(async () => {
      core = await openCore(open)
      own = await makeMerchant(core)
      other = await makeMerchant(core)
    })

    const some = (asked: readonly Asked[]) => partOfCommit(asked, core.place)
    const ask = async ([method, path, body, query]: Asked, more: SendOptions = {}) =>
      await core.send(method, path, body, { query, principal: own.key, ...more })
    /** The answer, with the requested id removed. */
    const answer = async (asked: Asked, id: string, more?: SendOptions) =>
      JSON.parse(JSON.stringify(await ask(asked, more)).replaceAll(id, '<id>'))

    /** Runs a check for every resource, and expects the other merchant's data to stay unchanged. */
    const forEveryResource = async (check: (resource: Resource) => Promise<void>) => {
      let stored = await contentsOf(core, other)
      await eachCase(reachable, pathOf, async (resource) => {
        await check(resource)
        const before = stored
        stored = await contentsOf(core, other)
        expect(stored).to.deep.equal(before)
      })
    }

    it(
      'never changes objects of others, and does not reveal that they exist',
      inPart(async () => {
        await forEveryResource(async (resource) => {
          const foreign = firstOf(other, resource.plural)
          const nobodys = unknownLike(foreign)
          const mine = firstOf(own, resource.plural)
          const reached = some(waysTo(resource, foreign, mine))
          for (const [index, asked] of some(waysTo(resource, nobodys, mine)).entries()) {
            const what = JSON.stringify(asked)
            const expected = await answer(asked, nobodys, { dryRun: true })
            const actual = await answer(reached[index] ?? asked, foreign, { dryRun: true })
            expect(actual, what).to.deep.equal(expected)
            expect(await answer(reached[index] ?? asked, foreign), what).to.deep.equal(expected)
          }
        })
      }),
    )

    it(
      'never refers to objects of others, and does not reveal that they exist',
      inPart(async () => {
        await forEveryResource(async (resource) => {
          const foreign = firstOf(other, resource.plural)
          const nobodys = unknownLike(foreign)
          const mine = (path: string) => firstOf(own, path)
          const ways = (id: string) =>
            some(reachable.flatMap((from) => waysToName(from, resource, id, mine(from.plural))))
          const reached = ways(foreign)
          const nowhere = ways(nobodys)
          for (const [index, asked] of nowhere.entries()) {
            const expected = await answer(asked, nobodys)
            expect(expected.status, JSON.stringify(asked)).to.be.oneOf(
              asked[0] === 'GET' ? [200, 404] : REFUSED,
            )
            const actual = await answer(reached[index] ?? asked, foreign)
            expect(actual, JSON.stringify(asked)).to.deep.equal(expected)
          }
        })
      }),
    )

    it('moves no money of others, and does not reveal that it exists', async () => {
      const before = await contentsOf(core, other)
      const reached = paymentsNaming((plural) => firstOf(other, plural))
      const nobodys = paymentsNaming((plural) => unknownLike(firstOf(other, plural)))
      const leaveOut = (answered: unknown, name: (plural: string) => string) =>
        reachable.reduce(
          (text, { plural }) => text.replaceAll(name(plural), '<id>'),
          JSON.stringify(answered),
        )
      for (const [index, asked] of nobodys.entries()) {
        const foreign = reached[index] ?? asked
        const expected = leaveOut(await ask(asked), (plural) => unknownLike(firstOf(other, plural)))
        expect(JSON.parse(expected).status, JSON.stringify(asked)).to.be.oneOf([400, 403])
        expect(
          leaveOut(await ask(foreign), (plural) => firstOf(other, plural)),
          JSON.stringify(asked),
        ).to.equal(expected)
      }
      expect(await contentsOf(core, other)).to.deep.equal(before)
    })

    it('to another account is answered with 403, whether or not the account exists', async () => {
      const before = await contentsOf(core, own)
      for (const id of [other.processing, unknownLike(other.processing)]) {
        const pay = { type: 'payment', amount: 1, payment_method: card() }
        const moves: Asked[] = [
          ['POST', '/transactions', { ...pay, processing_id: id }],
          ['POST', '/transactions', { ...pay, processing: { id } }],
          ['POST', '/transactions', { type: 'refund', amount: 1, processing_id: id, payment_method: card() }],
          ['POST', '/transactions', { ...pay, customer: { name: 'Eve', primary_processing_id: id } }],
          ['PUT', `/transactions/${own.payment}`, { processing_id: id }],
          ['PUT', `/transactions/${own.payment}`, { processing: { id } }],
          ['POST', '/customers', { name: 'Eve', primary_processing_id: id }],
          ['POST', '/accounts', { type: 'customer', name: 'Eve', primary_processing_id: id }],
          ['PUT', `/customers/${own.customer}`, { primary_processing_id: id }],
          ['PUT', `/customers`, { primary_processing_id: id }, `mode=query&id=${own.customer}`],
          ['PUT', `/customers`, list([{ id: own.customer, primary_processing_id: id }])],
          [
            'PUT',
            `/transactions/${own.payment}`,
            { customer: { id: own.customer, primary_processing_id: id } },
          ],
        ]
        for (const asked of moves) {
          const { status, body } = await ask(asked)
          expect([status, body.error_type], JSON.stringify(asked)).to.deep.equal([403, 'Forbidden'])
        }
      }
      expect(await contentsOf(core, own)).to.deep.equal(before)
    })

    it('never leaves an object without an account', async () => {
      const orphans: Asked[] = [
        ['PUT', `/customers/${own.customer}`, { primary_processing_id: null }],
        ['POST', '/payment_methods', card()],
        ['POST', '/legal_entities', { ...legalEntityAlone }],
        ['POST', '/processing_accounts', { name: 'Mine as well' }],
        ['POST', '/accounts', { type: 'processing', name: 'Mine as well' }],
        ['POST', '/processing_settings', {}],
        ['POST', '/processing_agreements', { type: 'recurring' }],
        ['PUT', `/orgs/${firstOf(own, 'orgs')}`, { primary_processing_id: null }],
      ]
      for (const asked of orphans) {
        const { status, body } = await ask(asked)
        expect([status, body.error_type], JSON.stringify(asked)).to.deep.equal([403, 'Forbidden'])
      }
    })

    it("belongs to the key's only account, or to the named account if there are several", async () => {
      const principal = narrowed(own.processing, other.processing)
      const made = await ask(['POST', '/customers', { name: 'Eve' }])
      expect(made.body.primary_processing_id).to.equal(own.processing)
      const pay = { type: 'payment', amount: 1, payment_method: card() }
      expect((await ask(['POST', '/transactions', pay])).body.processing_id).to.equal(own.processing)
      const asked: [Asked, string][] = [
        [['POST', '/customers', { name: 'Eve' }], 'primary_processing_id'],
        [['POST', '/transactions', pay], 'processing_id'],
      ]
      for (const [[method, path, body], attribute] of asked) {
        const unnamed = await core.send(method, path, body, { principal })
        expect(unnamed.body.details).to.deep.equal({ [attribute]: 'Required' })
        const named = { ...Object(body), [attribute]: other.processing }
        const { status, body: answered } = await core.send(method, path, named, { principal, dryRun: true })
        expect([status, answered[attribute]]).to.deep.equal([200, other.processing])
      }
    })

    it('of a list fails as a whole if one item belongs to another merchant', async () => {
      const before = await contentsOf(core, own)
      const lists: Asked[] = [
        [
          'PUT',
          '/customers',
          list([
            { id: own.customer, name: 'Eve' },
            { id: other.customer, name: 'Eve' },
          ]),
        ],
        ['DELETE', '/payment_methods', list([{ id: own.method }, { id: other.method }])],
      ]
      for (const asked of lists) {
        const { status, body } = await ask(asked)
        expect([status, body.details]).to.deep.equal([400, { 1: { id: 'Not found' } }])
      }
      expect(await contentsOf(core, own)).to.deep.equal(before)
    })

    it('has idempotency keys that are separate from other principals', async () => {
      const asked: Asked = ['POST', '/customers', { name: 'Same' }]
      const idempotencyKey = 'same'
      const mine = await ask(asked, { idempotencyKey })
      const theirs = await ask(asked, { idempotencyKey, principal: other.key })
      const operators = await core.ok('POST', '/customers', { name: 'Same' }, { idempotencyKey })
      expect(new Set([idOf(mine.body), idOf(theirs.body), idOf(operators)]).size).to.equal(3)
      expect(theirs.headers).to.deep.equal({})
      const mismatch: Asked = ['POST', '/customers', { name: 'Other' }]
      expect(
        (await ask(mismatch, { idempotencyKey, principal: narrowed(own.processing, 'acct_2') })).status,
      ).to.equal(400)
      const slash: Asked = ['POST', '/customers/', { name: 'Same' }]
      for (const again of [asked, slash]) {
        const { headers, body } = await ask(again, { idempotencyKey })
        expect([headers, idOf(body)]).to.deep.equal([{ 'Idempotent-Replay': 'true' }, idOf(mine.body)])
      }
    })
  })
})

const legalEntityAlone: JsonObject = {
  city: 'New York',
  ein: '12-3456789',
  legal_name: 'Nobody LLC',
  phone_number: '212 555 0100',
  postal_code: '10001',
  state_incorporated: 'NY',
  state_province: 'NY',
  street_address: '1 Main Street',
  type: 'CORPORATION',
}
