import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

describe('objects created by operators', () => {
  onDatabases((open) => {
    let core: TestCore
    let shop: string
    let other: string
    let count = 0
    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
      other = await makeProcessing(core)
    })

    /** A new operator, as the principal of their token. */
    const person = async (role: string, more: JsonObject = {}) => {
      const body = { name: 'Ada Park', email: `ada${++count}@example.com`, role, ...more }
      const id = idOf(await core.ok('POST', '/admin/operators', body))
      const { secret_key: secret } = await core.ok('POST', '/admin/keys', { operator_id: id })
      const holder = await core.app.authenticate(String(secret))
      if (!holder) throw new Error('No holder')
      return { id, principal: holder.principal }
    }
    const clientKey = async (principal: Principal, more: JsonObject = {}) => {
      const made = await core.send('POST', '/access_tokens', more, { principal })
      return idOf(made.body)
    }
    const disable = async (id: string) =>
      await core.ok('PUT', `/admin/operators/${id}`, { status: 'disabled' })

    it('have no wider permissions than their creator: client keys of a narrowed manager pay only permitted accounts', async () => {
      const { principal } = await person('manager', { processing_ids: [shop] })
      const key = await clientKey(principal)
      const holder = await core.app.authenticate(key)
      expect(holder?.principal).to.deep.include({ kind: 'client', processingIds: [shop], manage: false })
    })

    it('lose access with their operator: client keys are refused while the operator is disabled', async () => {
      const { id, principal } = await person('manager')
      const key = await clientKey(principal)
      expect((await core.app.authenticate(key))?.principal).to.include({ kind: 'client' })
      await disable(id)
      expect(await core.app.authenticate(key)).to.equal(undefined)
      const lasting = idOf(await core.ok('POST', '/access_tokens', {}))
      expect((await core.app.authenticate(lasting))?.principal).to.include({ kind: 'client' })
    })

    it("are limited to the operator's role, no matter which person holds the client key", async () => {
      const intent = { processing_account_form: {} }
      const manager = await person('manager')
      const refused = await core.send('POST', '/access_tokens', { intent }, { principal: manager.principal })
      expect([refused.status, refused.body.error_description]).to.deep.equal([
        403,
        '/processing_accounts needs the role owner',
      ])
      const { id, principal } = await person('owner')
      const key = await clientKey(principal, { intent })
      const grants = async () => (await core.app.authenticate(key))?.principal.grants
      expect(await grants()).to.deep.equal({ processing_accounts: ['POST'] })
      await core.ok('PUT', `/admin/operators/${id}`, { role: 'manager' })
      expect(await grants()).to.deep.equal({})
    })

    it("are limited to the operator's accounts: webhooks of a narrowed owner", async () => {
      const { id, principal } = await person('owner', { processing_ids: [shop] })
      const body = { trigger: 'payment', url: 'https://shop.example.com/hook', processing_id: shop }
      const made = await core.send('POST', '/webhooks', body, { principal })
      expect(made.status, JSON.stringify(made.body)).to.equal(200)
      const foreign = await core.send('POST', '/webhooks', { ...body, processing_id: other }, { principal })
      expect(foreign.status).to.equal(403)
      const row = await core.environment.core.read((work) => work.find(resources.webhook, idOf(made.body)))
      expect(row).to.include({ key_id: id, processing_ids: JSON.stringify([shop]) })
    })

    it('do not reveal in a dry run whether a card number was used before', async () => {
      const { processing } = await core.ok('GET', `/processing_accounts/${shop}`, undefined, {
        query: 'fields=*,processing[settings]',
      })
      const settings = idOf(Object(Object(processing).settings))
      await core.ok('PUT', `/processing_settings/${settings}`, { duplicate_window: 60 })
      const body = { type: 'payment', amount: 7, processing_id: shop, payment_method: card() }
      await core.ok('POST', '/transactions', body)
      const { principal } = await person('cashier')
      const tried = async (who?: Principal) =>
        (await core.send('POST', '/transactions', body, { dryRun: true, ...(who && { principal: who }) }))
          .status
      expect(await tried()).to.equal(400)
      expect(await tried(principal)).to.equal(200)
    })
  })
})
