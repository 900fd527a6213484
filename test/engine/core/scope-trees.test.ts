import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, objectOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { bankAccount, legalEntity, owner } from '../../support/examples.js'
import { narrowed } from './merchants.js'

onDatabases((open) => {
  describe('a tree sent with a narrowed key', () => {
    let core: TestCore
    let account: string
    beforeEach(async () => {
      core = await openCore(open)
      const bare = { name: 'Bare', processing: { industry: 'books' } }
      account = idOf(await core.ok('POST', '/processing_accounts', bare))
    })

    const put = async (body: JsonObject) =>
      await core.send('PUT', `/processing_accounts/${account}`, body, { principal: narrowed(account) })

    it('may contain objects that get their account only through other objects of the tree', async () => {
      const { status, body } = await put({ legal_entity: legalEntity(), payment_methods: [bankAccount()] })
      expect([status, body.status]).to.deep.equal([200, 'pending'])
      const { body: owners } = await core.send('GET', '/legal_entity_owners', undefined, {
        principal: narrowed(account),
      })
      const entity = idOf(objectOf(body.legal_entity))
      expect(valuesOf(owners).map((one) => one.legal_entity_id)).to.deep.equal([entity])
    })

    it('is checked as a whole: owners of a new legal entity hold at most 100 % together', async () => {
      const entity = { ...legalEntity(), owners: [owner(60), owner(41)] }
      const { status, body } = await put({ legal_entity: entity })
      expect([status, body.details]).to.deep.equal([
        400,
        { legal_entity: { owners: 'Shares of the owners exceed 100' } },
      ])
    })

    it('leaves no row that is outside of the account', async () => {
      const { status } = await core.send('POST', '/legal_entities', legalEntity(), {
        principal: narrowed(account),
      })
      expect(status).to.equal(403)
      expect((await core.ok('GET', '/legal_entities')).values).to.deep.equal([])
      expect((await core.ok('GET', '/legal_entity_owners')).values).to.deep.equal([])
    })
  })
})
