import { expect } from 'chai'
import { owner, type Principal } from '../../../src/engine/core/request/principal.js'
import { resources } from '../../../src/resources/resource-table.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, list, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing } from '../../support/examples.js'

const ORG: JsonObject = { name: 'Park Group', industry: 'books', org_type: 'company' }
const clerk = { kind: 'key', id: 'key_1', manage: false } as const

describe('organizations', () => {
  onDatabases((open) => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
    })
    const make = async (more: JsonObject = {}) => await core.ok('POST', '/orgs', { ...ORG, ...more })
    const makeId = async (more: JsonObject = {}) => idOf(await make(more))
    const details = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: JsonObject) => {
      const answer = await core.send(method, path, body)
      return [answer.status, answer.body.details]
    }

    it('are available at both of their paths, with their own settings', async () => {
      const org = await make({ timezone: 'America/New_York' })
      expect(org).to.include({ object: 'org', timezone: 'America/New_York', parent_org_id: null })
      expect(objectOf(org.processing_settings)).to.include({
        id: org.processing_settings_id,
        credit_trans_rate: 2.9,
        pricing: 'flat_rate',
      })
      expect(await core.ok('GET', `/accounts/orgs/${idOf(org)}`)).to.deep.equal(org)
      const other = await core.ok('POST', '/accounts/orgs', ORG)
      expect(valuesOf(await core.ok('GET', '/accounts/orgs', undefined, { query: 'limit=1' }))).to.deep.equal(
        [other],
      )
    })

    it('have settings that need manage to be changed', async () => {
      const id = await makeId()
      const settings = idOf(objectOf((await core.ok('GET', `/orgs/${id}`)).processing_settings))
      const cheaper = { processing_settings: { id: settings, credit_trans_rate: 2.5 } }
      const refused = await core.send('PUT', `/orgs/${id}`, cheaper, { principal: clerk })
      expect([refused.status, refused.body.details]).to.deep.equal([
        400,
        { processing_settings: { credit_trans_rate: 'Read only' } },
      ])
      for (const [others, problem] of [
        [null, 'Required'],
        [{ pricing: 'tiered' }, 'Read only'],
      ] as const) {
        const body = { processing_settings: others }
        const { status, body: answer } = await core.send('PUT', `/orgs/${id}`, body, { principal: clerk })
        expect([status, answer.details]).to.deep.equal([400, { processing_settings: problem }])
      }
      const changed = await core.ok('PUT', `/orgs/${id}`, cheaper)
      expect(objectOf(changed.processing_settings)).to.include({ id: settings, credit_trans_rate: 2.5 })
      expect(await details('DELETE', `/processing_settings/${settings}`)).to.deep.equal([
        400,
        { id: 'Settings of a processing account or organization are not deleted' },
      ])
    })

    it('accept only IANA time zones', async () => {
      const id = await makeId()
      const problem = { timezone: 'Must be a time zone, as in America/New_York' }
      for (const timezone of ['Eastern', 'America/Springfield', '+05:00', 'GMT+5'])
        for (const [method, path] of [
          ['POST', '/orgs'],
          ['PUT', `/orgs/${id}`],
        ] as const)
          expect(await details(method, path, { ...ORG, timezone }), timezone).to.deep.equal([400, problem])
      for (const timezone of ['Europe/Madrid', 'UTC', null])
        expect((await core.ok('PUT', `/orgs/${id}`, { timezone })).timezone).to.equal(timezone)
    })

    it('form a tree without cycles', async () => {
      const top = await makeId()
      const middle = await makeId({ parent_org_id: top })
      const bottom = await makeId({ parent_org_id: middle })
      const cycle = { parent_org_id: 'Belongs to this organization' }
      for (const parent of [top, middle, bottom])
        expect(await details('PUT', `/orgs/${top}`, { parent_org_id: parent })).to.deep.equal([400, cycle])
      expect(await details('PUT', `/orgs/${bottom}`, { parent_org_id: 'acct_nobody' })).to.deep.equal([
        400,
        { parent_org_id: 'Not found' },
      ])
      const swap = list([
        { id: bottom, parent_org_id: top },
        { id: middle, parent_org_id: bottom },
      ])
      await core.ok('PUT', '/orgs', swap)
      expect(await details('PUT', `/orgs/${top}`, { parent_org_id: middle })).to.deep.equal([400, cycle])
      await core.ok('PUT', `/orgs/${bottom}`, { parent_org_id: null })
      await core.ok('PUT', `/orgs/${top}`, { parent_org_id: middle })
    })

    it('form no cycle through a request with a list that would make an organization its own ancestor', async () => {
      const [own, ...others] = [await makeId(), await makeId(), await makeId()]
      const bodies = [own, ...others].map((id = '') => ({ id, parent_org_id: own ?? '' }))
      const cycle = { parent_org_id: 'Belongs to this organization' }
      expect(await details('PUT', '/orgs', list(bodies))).to.deep.equal([400, { 0: cycle }])
      expect(await details('PUT', '/orgs', list(bodies.toReversed()))).to.deep.equal([400, { 2: cycle }])
    })

    it('form no cycle through simultaneous changes', async () => {
      const pair = [await makeId(), await makeId()] as const
      const [one, other] = await Promise.all([
        core.send('PUT', `/orgs/${pair[0]}`, { parent_org_id: pair[1] }),
        core.send('PUT', `/orgs/${pair[1]}`, { parent_org_id: pair[0] }),
      ])
      expect([one.status, other.status].sort()).to.deep.equal([200, 400])
    })

    it('cannot be deleted while accounts or organizations belong to them', async () => {
      const top = await makeId()
      const bottom = await makeId({ parent_org_id: top })
      const account = idOf(await core.ok('POST', '/customers', { name: 'Ada', parent_org_id: bottom }))
      expect(await details('DELETE', `/orgs/${top}`)).to.deep.equal([
        400,
        { id: 'An organization that organizations belong to is not deleted' },
      ])
      expect(await details('DELETE', `/orgs/${bottom}`)).to.deep.equal([
        400,
        { id: 'An organization that accounts belong to is not deleted' },
      ])
      await core.ok('PUT', `/customers/${account}`, { parent_org_id: null })
      await core.ok('DELETE', `/orgs/${bottom}`)
      await core.ok('DELETE', `/orgs/${top}`)
      const gone = await core.send('POST', '/customers', { name: 'Ada', parent_org_id: top })
      expect(gone.body.details).to.deep.equal({ parent_org_id: 'Not found' })
    })

    it('decide by their time zone when an invoice of their accounts is overdue', async () => {
      const org = await makeId({ timezone: 'Pacific/Kiritimati' })
      const account = await makeProcessing(core)
      const customer = await makeCustomer(core, account)
      await core.ok('PUT', `/processing_accounts/${account}`, { parent_org_id: org })
      const body = { customer_id: customer, due_date: '2026-01-31', items: [charge(10)] }
      const invoice = idOf(await core.ok('POST', '/invoices', body))
      const moment = async () => {
        const handle = core.environment.core
        return (await handle.write((work) => work.find(resources.invoice, invoice)))?.overdue_at
      }
      expect(await moment()).to.equal('2026-01-31 10:00:00')
      await core.ok('PUT', `/orgs/${org}`, { timezone: 'America/New_York' })
      expect(await moment()).to.equal('2026-02-01 05:00:00')
      await core.ok('PUT', `/processing_accounts/${account}`, {
        parent_org_id: await makeId({ timezone: 'UTC' }),
      })
      expect(await moment()).to.equal('2026-02-01 00:00:00')
    })

    describe('and their account grants', () => {
      let org: string
      let account: string
      before(async () => {
        org = await makeId()
        account = await makeProcessing(core)
      })

      it('are created at their path, once per account', async () => {
        const path = `/orgs/${org}/account_access`
        const access = await core.ok('POST', path, { account_id: account, description: 'Accounting' })
        expect(access).to.include({
          object: 'account_access',
          org_id: org,
          account_id: account,
          role: 'full',
        })
        expect(await details('POST', path, { account_id: account })).to.deep.equal([
          400,
          { account_id: 'The organization may reach it already' },
        ])
        expect(valuesOf(await core.ok('GET', path))).to.deep.equal([access])
        const role = { role: 'read' }
        expect(await core.ok('PUT', `${path}/${idOf(access)}`, role)).to.include(role)
        expect(await core.ok('GET', `/account_access/${idOf(access)}`)).to.include(role)
        const shown = await core.ok('GET', `/orgs/${org}`, undefined, {
          query: 'fields=account_access[account_id]',
        })
        expect(shown).to.deep.equal({ account_access: [{ account_id: account }] })
        await core.ok('DELETE', `${path}/${idOf(access)}`)
        await core.ok('POST', '/account_access', { org_id: org, account_id: account })
      })

      it('must name existing accounts of other organizations', async () => {
        const own = await makeProcessing(core)
        await core.ok('PUT', `/processing_accounts/${own}`, { parent_org_id: org })
        const path = `/orgs/${org}/account_access`
        expect(await details('POST', path, { account_id: own })).to.deep.equal([
          400,
          { account_id: 'Belongs to the organization' },
        ])
        expect(await details('POST', path, { account_id: 'acct_nobody' })).to.deep.equal([
          400,
          { account_id: 'Not found' },
        ])
        expect(await details('POST', path, {})).to.deep.equal([400, { account_id: 'Required' }])
        const customer = await makeCustomer(core, own)
        expect((await core.send('POST', path, { account_id: customer })).status).to.equal(400)
        expect(
          (await core.send('POST', '/orgs/acct_nobody/account_access', { account_id: own })).status,
        ).to.equal(404)
      })

      it('are deleted with the organization, by anyone who may delete it', async () => {
        const own = await makeProcessing(core, 'Own')
        const key: Principal = { kind: 'key', id: 'a key', manage: false, processingIds: [own] }
        for (const principal of [owner, key]) {
          const passing = await makeId({ primary_processing_id: own })
          const path = `/orgs/${passing}`
          const access = idOf(await core.ok('POST', `${path}/account_access`, { account_id: account }))
          await core.ok('DELETE', path, undefined, { principal })
          expect((await core.send('GET', `/account_access/${access}`)).status).to.equal(404)
        }
      })
    })
  })
})

const charge = (amount: number): JsonObject => ({ entry_type: 'charge', amount })
