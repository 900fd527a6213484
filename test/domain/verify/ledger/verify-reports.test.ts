import { expect } from 'chai'
import { keepDaySums } from '../../../../src/domain/reports/keep-day-sums.js'
import { Business } from '../../../support/business.js'
import { listOf, objectOf } from '../../../support/core.js'
import { onDatabases } from '../../../support/databases.js'
import { card, pay } from '../../../support/examples.js'
import { asOutsider } from '../../../support/outsider.js'

const MARCH = 'from=2030-03-01&to=2030-03-31'

describe('verify of the stored sums of reports', () => {
  onDatabases((open) => {
    const opened = async () => {
      const business = await Business.open(open, {}, '2030-03-05 17:00:00')
      const account = await business.account()
      await pay(business.core, account, 29.99)
      const declined = { type: 'payment', amount: 100.04, payment_method: card('4111111111119904') }
      await business.core.send('POST', '/transactions', { ...declined, processing_id: account })
      business.at('2030-04-02 17:00:00')
      const keep = async () =>
        await keepDaySums(business.core.environment.runner, new AbortController().signal)
      await keep()
      const findings = async () => {
        const { findings: all } = await business.core.ok('GET', '/admin/verify')
        return listOf(all)
          .map(objectOf)
          .filter(({ check }) => check === 'report')
      }
      const volume = async () => {
        const report = await business.core.ok('GET', '/admin/reports/summary', undefined, { query: MARCH })
        return objectOf(report.totals).volume
      }
      return { business, keep, findings, volume }
    }
    const attacks = {
      'an amount was changed': "update report_days set amount = amount + 1 where kind = 'payment'",
      'a number was changed': "update report_days set number = number + 1 where kind = 'declined'",
      'a sum was removed': "delete from report_days where kind = 'payment' and to_account = 'fee_income'",
      'a sum has another account':
        "update report_days set processing_id = 'acct_none' where kind = 'payment' and to_account = 'fee_income'",
      'a code was changed': "update report_days set from_account = 'R01' where kind = 'declined'",
      'the day has an unknown zone': "update report_days set zone = 'Moon/Base' where day = '2030-03-05'",
    }
    for (const [what, attack] of Object.entries(attacks))
      it(`reports a day if ${what}`, async () => {
        const { business, findings } = await opened()
        expect(await findings()).to.deep.equal([])
        await asOutsider(business.core.place, attack)
        expect(await findings()).to.have.length(1)
      })

    it('has no findings after the rows are deleted, and reports are unchanged', async () => {
      const { business, keep, findings, volume } = await opened()
      await asOutsider(business.core.place, "update report_days set amount = 1 where kind = 'payment'")
      expect(await volume()).not.to.equal(29.99)
      await asOutsider(business.core.place, 'delete from report_days')
      expect([await volume(), await findings()]).to.deep.equal([29.99, []])
      await keep()
      expect([await volume(), await findings()]).to.deep.equal([29.99, []])
    })

    it('has no findings for a day with later postings, whose sums are not used', async () => {
      const { business, findings, volume } = await opened()
      const [first] = listOf((await business.core.ok('GET', '/processing_accounts')).values).map(objectOf)
      business.at('2030-03-05 18:00:00')
      await pay(business.core, String(first?.id), 1)
      business.at('2030-04-02 17:00:00')
      expect([await volume(), await findings()]).to.deep.equal([30.99, []])
    })
  })
})
