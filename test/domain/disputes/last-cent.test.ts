import { expect } from 'chai'
import { Business } from '../../support/business.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

describe('the last cent of a payment', () => {
  onDatabases((open) => {
    let business: Business
    let account: string
    before(async () => {
      business = await Business.open(open)
      account = await business.account({ credit_conv_fee_alloc: 50 })
    })
    afterEach(async () => {
      expect(await business.audit()).to.deep.equal([])
    })
    const take = async () => idOf(await pay(business.core, account, 29.99))
    const convFeeOf = async (id: unknown) =>
      (await business.core.ok('GET', `/transactions/${id}`, undefined, { query: 'fields=conv_fee' })).conv_fee

    it('that is not charged back leaves the payment processed, and takes back no convenience fee', async () => {
      const payment = await take()
      const most = await business.simulate('chargeback', payment, { amount: 29.98 })
      expect(most).to.include({ status: 'processed', status_code: 'approved', funding_status: 'pending' })
      expect(await convFeeOf(most.recorded_id)).to.equal(0)
    })

    it('that is charged back rejects the payment, and takes back the convenience fee', async () => {
      const payment = await take()
      await business.simulate('chargeback', payment, { amount: 29.98 })
      const last = await business.simulate('chargeback', payment, { amount: 0.01 })
      expect(last).to.include({ amount: 0.01, status: 'rejected', funding_status: 'reversed' })
      expect(await convFeeOf(last.recorded_id)).to.equal(0.59)
    })

    it('decides in the same way after a partial refund', async () => {
      const payment = await take()
      await business.refund(payment, 10)
      expect(await business.simulate('chargeback', payment, { amount: 19.98 })).to.include({
        status: 'processed',
        funding_status: 'pending',
      })
      expect(await business.simulate('chargeback', payment, { amount: 0.01 })).to.include({
        status: 'rejected',
        funding_status: 'reversed',
      })
    })

    it('that is won back makes the payment processed again, with one cent refundable', async () => {
      const payment = await take()
      await business.simulate('chargeback', payment, { amount: 29.98 })
      await business.simulate('chargeback', payment, { amount: 0.01 })
      expect(await business.simulate('dispute_won', payment)).to.include({
        status: 'processed',
        amount: 0.01,
      })
      await business.refund(payment, 0.01)
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'captured' })
    })

    it('that is charged back again after a won dispute takes back the convenience fee again', async () => {
      const payment = await take()
      await business.refund(payment, 29.99)
      const report = async (event: string, dispute: string) => {
        const body = {
          event,
          transaction_id: payment,
          dispute,
          ...(event === 'chargeback' && { amount: 30.58 }),
        }
        return await business.core.ok('POST', '/admin/disputes', body)
      }
      for (const dispute of ['dp_1', 'dp_2']) {
        const taken = await report('chargeback', dispute)
        expect([taken.excess, await convFeeOf(taken.recorded_id)]).to.deep.equal([29.99, 0.59])
        const beside = await report('chargeback', `${dispute}_beside`)
        expect([beside.excess, await convFeeOf(beside.recorded_id)]).to.deep.equal([30.58, 0])
        const won = await report('dispute_won', dispute)
        expect([won.excess, await convFeeOf(won.recorded_id)]).to.deep.equal([29.99, 0.59])
        await report('dispute_won', `${dispute}_beside`)
      }
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })

    it('must be refunded before the payment becomes refunded', async () => {
      const payment = await take()
      await business.refund(payment, 29.98)
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'pending' })
      await business.refund(payment, 0.01)
      expect(await business.read(payment)).to.include({ status: 'processed', funding_status: 'refunded' })
    })
  })
})
