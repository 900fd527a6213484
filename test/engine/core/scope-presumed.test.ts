import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, list, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing } from '../../support/examples.js'
import { narrowed } from './merchants.js'

onDatabases((open) => {
  describe('the processing account that a narrowed key omits', () => {
    let core: TestCore
    let own: string
    let other: string
    let customer: string
    let org: string

    before(async () => {
      core = await openCore(open)
      own = await makeProcessing(core)
      other = await makeProcessing(core)
      customer = await makeCustomer(core, own)
      const body = { name: 'Park Group', industry: 'books', org_type: 'company' }
      org = idOf(await core.ok('POST', '/orgs', { ...body, primary_processing_id: own }))
    })
    const post = async (path: string, body: JsonObject, dryRun = false, principal = narrowed(own)) =>
      await core.send('POST', path, body, { principal, dryRun })

    it('is the only account of the key, for every attribute that refers to an account', async () => {
      const customer_id = customer
      const charges = [{ amount: 5 }]
      const bodies: [path: string, body: JsonObject, column: string][] = [
        ['/orgs', { name: 'Group', industry: 'books', org_type: 'company' }, 'primary_processing_id'],
        [`/orgs/${org}/account_access`, {}, 'account_id'],
        ['/readers', { name: 'Back office' }, 'processing_id'],
        ['/invoices', { customer_id }, 'processing_id'],
        ['/billing_schedules', { customer_id, charges }, 'processing_id'],
        ['/payment_links', { customer_id, amount: 5, description: 'Books' }, 'processing_id'],
        ['/payment_activations', { customer_id }, 'processing_id'],
        ['/webhooks', { trigger: 'payment', url: 'https://example.com' }, 'processing_id'],
        ['/access_tokens', { type: 'client' }, 'processing_id'],
      ]
      for (const [path, body, column] of bodies) {
        const { status, body: made } = await post(path, body)
        expect([status, made[column]], `${path}: ${JSON.stringify(made)}`).to.deep.equal([200, own])
        const listed = await post(path, list([body]), true)
        if (path !== `/orgs/${org}/account_access`) expect(listed.status, path).to.equal(200)
        const elsewhere = await post(path, { ...body, [column]: other })
        expect(elsewhere.status, path).to.equal(403)
      }
    })

    it('must be named if the key has several accounts', async () => {
      const both = narrowed(own, other)
      const unnamed: [path: string, body: JsonObject, details: JsonObject][] = [
        ['/readers', { name: 'Back office' }, { processing_id: 'Required' }],
        ['/billing_schedules', { customer_id: customer }, { processing_id: 'Required' }],
        ['/account_access', { org_id: org }, { account_id: 'Required' }],
      ]
      for (const [path, body, details] of unnamed) {
        const answer = await post(path, body, false, both)
        expect([answer.status, answer.body.details], path).to.deep.equal([400, details])
      }
      const group = { name: 'Group', industry: 'books', org_type: 'company' }
      expect((await post('/orgs', group, false, both)).status).to.equal(403)
    })

    it('is not presumed for a key without narrowing', async () => {
      const group = { name: 'Group', industry: 'books', org_type: 'company' }
      expect(await core.ok('POST', '/orgs', group)).to.include({ primary_processing_id: null })
      const answer = await core.send('POST', '/readers', { name: 'Back office' })
      expect([answer.status, answer.body.details]).to.deep.equal([400, { processing_id: 'Required' }])
    })
  })
})
