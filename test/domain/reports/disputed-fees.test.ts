import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf, listOf, objectOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

onDatabases((open) => {
  describe('the report of disputes', () => {
    it('charges the merchant no fee for a won dispute, whose convenience fee is returned', async () => {
      const business = await Business.open(open, {}, '2030-03-05 17:00:00')
      const account = await business.account({ credit_conv_fee_alloc: 50 })
      const payment = idOf(await pay(business.core, account, 100))
      await business.simulate('chargeback', payment)
      await business.simulate('dispute_won', payment)
      const query = 'from=2030-03-01&to=2030-03-31'
      const disputes = await business.core.ok('GET', '/admin/reports/disputes', undefined, { query })
      const statement = await business.core.ok('GET', '/admin/reports/statement', undefined, { query })
      const rows = listOf(disputes.rows).map(objectOf)
      const lines = listOf(statement.rows).map(objectOf)
      expect(rows.map(({ kind, amount, fee, lost }) => [kind, amount, fee, lost])).to.deep.equal(
        lines
          .filter(({ kind }) => kind === 'chargeback' || kind === 'chargeback_reversal')
          .map(({ kind, amount, fee }) => [kind, amount, fee, 0]),
      )
      expect(rows.map(({ amount, fee }) => [amount, fee])).to.deep.equal([
        [-100, 15],
        [100, 0],
      ])
    })
  })
})
