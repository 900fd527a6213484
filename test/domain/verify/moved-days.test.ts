import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

describe('an account after its time zone changed', () => {
  onDatabases((open) => {
    let business: Business
    let org: string
    let account: string
    beforeEach(async () => {
      business = await Business.open(open)
      const body = { name: 'Park Books', industry: 'books', org_type: 'company', timezone: 'Asia/Tokyo' }
      org = idOf(await business.core.ok('POST', '/orgs', body))
      account = await business.account({}, { parent_org_id: org })
    })
    const verified = async () => (await business.core.ok('GET', '/admin/verify')).findings

    it('may have payments of the same second with the old and the new due time', async () => {
      await pay(business.core, account, 10)
      await business.core.ok('PUT', `/orgs/${org}`, { timezone: 'Europe/Berlin' })
      await pay(business.core, account, 11)
      expect(await verified()).to.deep.equal([])
    })

    it('has deposits with the due time of their payments, old or new', async () => {
      for (let count = 0; count < 20; count++) await pay(business.core, account, 10)
      business.at('2030-01-15 18:00:00')
      await business.core.ok('PUT', `/orgs/${org}`, { timezone: 'Europe/Berlin' })
      business.at('2030-01-17 12:00:00')
      for (let begun = 0; begun === 0; ) {
        await business.run({ units: 1 })
        begun = (await business.all(account, 'deposit')).length
        expect(await verified()).to.deep.equal([])
      }
      await business.run()
      expect(await verified()).to.deep.equal([])
    })

    it('is billed for the month at the time planned before', async () => {
      business.at('2030-02-10 12:00:00')
      await business.run()
      business.at('2030-02-11 12:00:00')
      await business.core.ok('PUT', `/accounts/${account}`, { parent_org_id: null })
      expect(await verified()).to.deep.equal([])
      business.at('2030-03-10 12:00:00')
      await business.run()
      expect(await verified()).to.deep.equal([])
    })
  })
})
