import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { Json, JsonObject } from '../../../src/schema/json.js'
import type { Method, Resource } from '../../../src/schema/resource.js'
import { idOf, list, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { eachCase } from '../../support/each-case.js'
import { card, makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { pathOf } from './merchants.js'

const plain: Principal = { kind: 'key', id: 'key_plain', manage: false }
const manager: Principal = { kind: 'key', id: 'key_manager', manage: true }

onDatabases((open) => {
  describe('the manage permission', () => {
    let core: TestCore
    let shop: string
    let customer: string
    let settings: string

    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
      customer = await makeCustomer(core, shop)
      const { processing } = await core.ok('GET', `/processing_accounts/${shop}`)
      settings = idOf(objectOf(objectOf(processing).settings))
      await core.ok('PUT', `/processing_settings/${settings}`, { credit_trans_rate: 5, pricing: 'tiered' })
      await core.ok('PUT', `/accounts/${shop}`, {
        processing: { status: 'inactive' },
        transaction_limit: 100,
      })
    })

    const stored = async () => await core.ok('GET', `/processing_accounts/${shop}`)
    const ask = async (method: Method, path: string, body?: Json, query?: string, principal = plain) =>
      await core.send(method, path, body, { principal, query })

    it('is required for every resource of /admin, and the refusal says so', async () => {
      const admins = Object.values<Resource>(resources).filter(({ admin }) => admin)
      await eachCase(admins, pathOf, async ({ plural }) => {
        const { status, body } = await ask('GET', `/${plural}`)
        expect([status, body.error_description]).to.deep.equal([
          403,
          `/${plural} needs the permission manage`,
        ])
      })
    })

    const invalid: readonly [what: string, () => [string, JsonObject], details: Json][] = [
      [
        'a rate above 100',
        () => [`/processing_settings/${settings}`, { credit_trans_rate: 101 }],
        { credit_trans_rate: 'Must be at most 100' },
      ],
      [
        'an unknown status',
        () => [`/accounts/${shop}`, { processing: { status: 'bogus' } }],
        {
          processing: {
            status:
              'Must be one of: incomplete, pending, active, in_review, action_needed, resubmit, inactive',
          },
        },
      ],
      [
        'a limit that is no number',
        () => [`/accounts/${shop}`, { transaction_limit: 'abc' }],
        { transaction_limit: 'Must be valid number' },
      ],
    ]
    for (const [what, change, details] of invalid)
      it(`gives the reason for an invalid value (${what}), which is read-only without it`, async () => {
        const [path, body] = change()
        const withIt = await ask('PUT', path, body, undefined, manager)
        expect([withIt.status, withIt.body.details]).to.deep.equal([400, details])
        expect(JSON.stringify((await ask('PUT', path, body)).body.details)).to.include('"Read only"')
      })

    const refused: readonly [what: string, () => [Method, string, JsonObject?, string?], details: Json][] = [
      [
        'a rate',
        () => ['PUT', `/processing_settings/${settings}`, { credit_trans_rate: 1 }],
        { credit_trans_rate: 'Read only' },
      ],
      [
        'a rate, in a list',
        () => ['PUT', '/processing_settings', list([{ id: settings, pci_fee: 1 }])],
        { 0: { pci_fee: 'Read only' } },
      ],
      [
        'an enabled kind',
        () => ['PUT', `/processing_settings/${settings}`, { card_processing: { credit: false } }],
        { card_processing: { credit: 'Read only' } },
      ],
      [
        'enabled kinds, emptied',
        () => ['PUT', `/processing_settings/${settings}`, { card_processing: null }],
        { card_processing: { credit: 'Read only', debit: 'Read only', prepaid: 'Read only' } },
      ],
      [
        'settings in the tree of an account',
        () => ['PUT', `/accounts/${shop}`, { processing: { settings: { id: settings, batch_fee: 1 } } }],
        { processing: { settings: { batch_fee: 'Read only' } } },
      ],
      [
        'other settings in their place',
        () => ['PUT', `/accounts/${shop}`, { processing: { settings: {} } }],
        { processing: { settings: 'Read only' } },
      ],
      [
        'settings of a new account',
        () => [
          'POST',
          '/processing_accounts',
          { name: 'New', processing: { industry: 'x', settings: { pricing: 'tiered' } } },
        ],
        { processing: { settings: { pricing: 'Read only' } } },
      ],
      [
        'a status',
        () => ['PUT', `/accounts/${shop}`, { processing: { status: 'active' } }],
        { processing: { status: 'Read only' } },
      ],
      [
        'a status, emptied',
        () => ['PUT', `/accounts/${shop}`, { processing: { status: null } }],
        { processing: { status: 'Read only' } },
      ],
      [
        'a status, emptied with its group',
        () => ['PUT', `/accounts/${shop}`, { processing: null }],
        { processing: { status: 'Read only' } },
      ],
      [
        'a status by its other name',
        () => ['PUT', `/processing_accounts/${shop}`, { status: 'active' }],
        { status: 'Read only' },
      ],
      [
        'a status of a new account',
        () => [
          'POST',
          '/processing_accounts',
          { name: 'New', processing: { industry: 'x', status: 'active' } },
        ],
        { processing: { status: 'Read only' } },
      ],
      [
        'a status by query',
        () => ['PUT', '/processing_accounts', { processing: { status: 'active' } }, `mode=query&id=${shop}`],
        { 0: { id: '<id>', processing: { status: 'Read only' } } },
      ],
      [
        'a transaction limit',
        () => ['PUT', `/accounts/${shop}`, { transaction_limit: 1000 }],
        { transaction_limit: 'Read only' },
      ],
      [
        'a transaction limit, emptied',
        () => ['PUT', `/accounts/${shop}`, { transaction_limit: null }],
        { transaction_limit: 'Read only' },
      ],
      [
        'a transaction limit of a new customer',
        () => ['POST', '/customers', { name: 'Eve', transaction_limit: 5 }],
        { transaction_limit: 'Read only' },
      ],
      [
        "a transaction limit of a payment's customer",
        () => [
          'POST',
          '/transactions',
          {
            type: 'payment',
            amount: 1,
            customer: { name: 'Eve', transaction_limit: 5 },
            payment_method: card(),
          },
        ],
        { customer: { transaction_limit: 'Read only' } },
      ],
      [
        'a kind of card',
        () => [
          'POST',
          '/payment_methods',
          { ...card(), card: { card_number: '4242424242424242', expiry: '12/39', card_type: 'debit' } },
        ],
        { card: { card_type: 'Read only' } },
      ],
    ]
    for (const [what, asked, details] of refused) {
      it(`is required to set ${what}`, async () => {
        const before = await stored()
        const { status, body } = await ask(...asked())
        expect([status, body.error_type]).to.deep.equal([400, 'InvalidAttributes'])
        expect(JSON.parse(JSON.stringify(body.details).replaceAll(shop, '<id>'))).to.deep.equal(details)
        expect(await stored()).to.deep.equal(before)
      })
    }

    it('is required to create or delete settings directly', async () => {
      for (const asked of [
        ask('POST', '/processing_settings', {}),
        ask('DELETE', `/processing_settings/${settings}`),
      ]) {
        const { status, body } = await asked
        expect([status, body.error_type]).to.deep.equal([403, 'Forbidden'])
      }
    })

    it('is required for every operation of /admin', async () => {
      const asked: [Method, string, JsonObject?][] = [
        ['GET', '/admin/keys'],
        ['GET', '/admin/keys/key_1'],
        ['POST', '/admin/keys', {}],
        ['PUT', '/admin/keys/key_1', { description: 'mine' }],
        ['DELETE', '/admin/keys/key_1'],
        ['POST', '/admin/keys/key_1/rotate', {}],
      ]
      for (const [method, path, body] of asked) {
        const answer = await ask(method, path, body)
        expect([answer.status, answer.body.error_type], `${method} ${path}`).to.deep.equal([403, 'Forbidden'])
      }
    })

    it('is not required to send read-only values back unchanged', async () => {
      const { created_at, modified_at, ...account } = await stored()
      expect((await ask('PUT', `/processing_accounts/${shop}`, account)).status).to.equal(200)
      const whole = await core.ok('GET', `/processing_settings/${settings}`)
      expect((await ask('PUT', `/processing_settings/${settings}`, whole)).status).to.equal(200)
    })

    it('is not required to create accounts, which get the default settings', async () => {
      const { status, body } = await ask('POST', '/processing_accounts', {
        name: 'New',
        processing: { industry: 'x' },
      })
      expect(status).to.equal(200)
      const processing = objectOf(body.processing)
      expect(processing).to.include({ status: 'incomplete' })
      expect(objectOf(processing.settings)).to.include({ credit_trans_rate: 2.9, pricing: 'flat_rate' })
    })

    it('allows all settings', async () => {
      const change = {
        transaction_limit: 50,
        processing: { status: 'active', settings: { id: settings, batch_fee: 1 } },
      }
      const { status, body } = await ask('PUT', `/accounts/${shop}`, change, undefined, manager)
      expect([status, body.transaction_limit]).to.deep.equal([200, 50])
      expect(objectOf(objectOf(body.processing).settings).batch_fee).to.equal(1)
    })

    it('does not allow clearing read-only values by clearing their group', async () => {
      const paid = await pay(core, shop, 5, { customer_id: customer })
      const method = idOf(objectOf(paid.payment_method))
      for (const principal of [plain, manager]) {
        const { status, body } = await ask(
          'PUT',
          `/payment_methods/${method}`,
          { card: null },
          undefined,
          principal,
        )
        expect(status).to.equal(400)
        expect(objectOf(objectOf(body.details).card)).to.include({ card_number: 'Read only' })
      }
      expect((await ask('PUT', `/payment_methods/${method}`, { billing_address: null })).status).to.equal(200)
    })
  })
})
