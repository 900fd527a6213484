import { expect } from 'chai'
import { list, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

onDatabases('groups', (open) => {
  describe('lists of payments', () => {
    let core: TestCore
    let shop: string
    before(async () => {
      core = await openCore(open)
      shop = await makeProcessing(core)
    })

    const payment = (amount: number, number?: string) => ({
      type: 'payment',
      amount,
      processing_id: shop,
      payment_method: card(number),
    })

    it('have up to 1,000 items, which one query can void', async () => {
      const payments = Array.from({ length: 1_000 }, (_, index) => payment((100 + index) / 100))
      const made = valuesOf(await core.ok('POST', '/transactions', list(payments)))
      expect(made.map(({ status, amount }) => [status, amount])).to.deep.equal(
        payments.map(({ amount }) => ['processed', amount]),
      )
      const query = 'mode=query&status=processed&fields=status'
      const voided = valuesOf(await core.ok('PUT', '/transactions', { status: 'voided' }, { query }))
      expect(voided).to.deep.equal(Array(1_000).fill({ status: 'voided' }))
    })

    it('are answered with 200 and stored even if one payment is declined', async () => {
      const items = [payment(5), payment(5, '4111111111119904'), payment(5)]
      const made = valuesOf(await core.ok('POST', '/transactions', list(items)))
      expect(made.map(({ status }) => status)).to.deep.equal(['processed', 'declined', 'processed'])
      expect((await core.ok('GET', `/transactions/${made[1]?.id}`)).status_code).to.equal('insufficient_bal')
    })

    it('may have two refunds that share the balance of a payment', async () => {
      const [paid] = valuesOf(await core.ok('POST', '/transactions', list([payment(10)])))
      const refund = (amount: number) => ({
        type: 'refund',
        amount,
        ledger: [{ assoc_transaction_id: paid?.id ?? null }],
      })
      const refused = await core.send('POST', '/transactions', list([refund(6), refund(6)]))
      expect(refused.body.details).to.deep.equal({ 1: { amount: 'Exceeds refundable balance of 4.00' } })
      const accepted = valuesOf(await core.ok('POST', '/transactions', list([refund(6), refund(4)])))
      expect(accepted.map(({ status }) => status)).to.deep.equal(['processed', 'processed'])
    })
  })
})
