import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf } from '../../support/core.js'
import { onEachDatabase } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

describe('a payment of the second in which its organization moves', () => {
  onEachDatabase((open) => {
    it('is due at the end of a day before or after that', async () => {
      const business = await Business.open(open)
      const { core } = business
      const body = { name: 'Park Books', industry: 'books', org_type: 'company', timezone: 'Asia/Tokyo' }
      const org = idOf(await core.ok('POST', '/orgs', body))
      const account = await business.account({}, { parent_org_id: org })
      await pay(core, account, 10)
      await core.ok('PUT', `/orgs/${org}`, { timezone: 'Europe/Berlin' })
      await pay(core, account, 11)
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })
})
