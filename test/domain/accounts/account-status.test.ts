import { expect } from 'chai'
import type { Principal } from '../../../src/engine/core/request/principal.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, legalEntity, makeProcessing, owner } from '../../support/examples.js'
import { eventsOf } from '../payments/books.js'

describe('the status of a processing account', () => {
  onDatabases((open) => {
    let core: TestCore
    let account: string
    let path: string
    before(async () => {
      core = await openCore(open)
    })
    beforeEach(async () => {
      account = await makeProcessing(core)
      path = `/processing_accounts/${account}`
    })

    const statusOf = async (id: string) => (await core.ok('GET', `/processing_accounts/${id}`)).status
    const say = (status: string) => core.ok('PUT', path, { processing: { status } })

    it('stays action_needed until the account changes', async () => {
      await say('action_needed')
      expect((await say('action_needed')).status).to.equal('action_needed')
      const query = 'fields=*,payment_methods,legal_entity[*],legal_entity[owners]'
      const whole = await core.ok('GET', path, undefined, { query })
      expect((await core.ok('PUT', path, whole, { query })).status).to.equal('action_needed')
      const parts = ['legal_entity', 'payment_methods', 'legal_entity/owners']
      for (const part of parts) {
        const entity = `/legal_entities/${whole.legal_entity_id}`
        const below = part === 'legal_entity/owners' ? `${entity}/owners` : `${path}/${part}`
        const read = await core.ok('GET', below)
        const [one = read] = part === 'legal_entity' ? [] : valuesOf(read)
        const plural = String(one.object).replace(/y$/, 'ie')
        expect(await core.ok('PUT', `/${plural}s/${one.id}`, one)).to.include({ id: one.id ?? null })
      }
      expect(await statusOf(account)).to.equal('action_needed')
      expect(await eventsOf(core, account)).to.deep.equal(['processing_status action_needed'])
      const [method] = valuesOf(await core.ok('GET', `${path}/payment_methods`))
      await core.ok('PUT', `/payment_methods/${method?.id}`, { account_holder: 'Ada' })
      expect(await statusOf(account)).to.equal('pending')
    })

    it('cannot be set to null, and neither can the attribute group that contains it', async () => {
      await say('active')
      const refusal = async (body: JsonObject) => (await core.send('PUT', path, body)).body.details
      expect(await refusal({ processing: { status: null } })).to.deep.equal({
        processing: { status: 'Required' },
      })
      expect(await refusal({ processing: null })).to.deep.equal({ processing: 'Required' })
      expect(await statusOf(account)).to.equal('active')
    })

    it('is updated with a shared legal entity, no matter which account changes it', async () => {
      const { legal_entity_id: entity = null } = await core.ok('GET', path)
      const other = idOf(
        await core.ok('POST', '/processing_accounts', {
          name: 'Other',
          legal_entity_id: entity,
          payment_methods: [bankAccount()],
        }),
      )
      const [only] = valuesOf(await core.ok('GET', `/legal_entities/${entity}/owners`))
      const principal: Principal = { kind: 'key', id: 'a key', manage: false, processingIds: [account] }
      await core.ok('DELETE', `/legal_entity_owners/${only?.id}`, undefined, { principal })
      expect([await statusOf(account), await statusOf(other)]).to.deep.equal(['incomplete', 'incomplete'])
      await core.ok('POST', `/legal_entities/${entity}/owners`, owner(), { principal })
      expect([await statusOf(account), await statusOf(other)]).to.deep.equal(['pending', 'pending'])
    })
  })
})

describe('legal entities', () => {
  onDatabases((open) => {
    it('are deleted with their owners and stakeholders', async () => {
      const core = await openCore(open)
      const stakeholders = [{ full_name: 'Ben Park', role: 'contact' }]
      const { id } = await core.ok('POST', '/legal_entities', { ...legalEntity(), stakeholders })
      const people: string[] = []
      for (const [name, plural] of [
        ['owners', 'legal_entity_owners'],
        ['stakeholders', 'stakeholders'],
      ])
        for (const one of valuesOf(await core.ok('GET', `/legal_entities/${id}/${name}`)))
          people.push(`/${plural}/${idOf(one)}`)
      expect(people).to.have.length(2)
      await core.ok('DELETE', `/legal_entities/${id}`)
      for (const path of people) expect((await core.send('GET', path)).status, path).to.equal(404)
    })
  })
})
