import { expect } from 'chai'
import { idOf } from '../../support/core.js'
import { beginning, following, onEachGateway, type Recorded } from './recorded.js'

onEachGateway('a payment that is authorized', (recorded) => {
  let on: Recorded
  let payment: string
  beforeEach(async () => {
    on = recorded()
    payment = await on.take(29.99, { status: 'authorized' })
    on.expectRequests(beginning('authorize', payment, 3058))
  })

  it('is a capture of the same amount, sent once', async () => {
    expect((await on.become(payment, 'processed')).body).to.include({ status: 'processed' })
    on.expectFollowing('capture', payment, 3058)
    expect((await on.become(payment, 'processed')).status).to.equal(200)
  })

  it('is a void of the same amount, and there is no further request', async () => {
    expect((await on.become(payment, 'voided')).body).to.include({ status: 'voided' })
    on.expectFollowing('void', payment, 3058)
    expect((await on.become(payment, 'processed')).status).to.equal(400)
  })

  it('is a void if the payment is not captured in time', async () => {
    await on.core.ok('POST', '/admin/clock', { by: '8d' })
    on.expectFollowing('void', payment, 3058)
  })

  it('is a void if the payment is voided after its capture', async () => {
    await on.become(payment, 'processed')
    on.expectFollowing('capture', payment, 3058)
    await on.become(payment, 'voided')
    on.expectFollowing('void', payment, 3058)
  })
})

onEachGateway('a payment that was processed', (recorded) => {
  let on: Recorded
  let payment: string
  beforeEach(async () => {
    on = recorded()
    payment = await on.take(29.99)
    on.expectRequests(beginning('sale', payment, 3058))
  })

  it('is a void of its amount with the convenience fee', async () => {
    expect((await on.become(payment, 'voided')).body).to.include({ status: 'voided' })
    on.expectFollowing('void', payment, 3058)
  })

  it('is a refund of the full amount, without the convenience fee', async () => {
    const refund = idOf(await on.business.refund(payment, 29.99))
    on.expectRequests(following('refund', payment, refund, 2999))
  })

  it('is a refund for each part, and is not sent beyond the amount', async () => {
    const first = idOf(await on.business.refund(payment, 10))
    const second = idOf(await on.business.refund(payment, 19.98))
    on.expectRequests(following('refund', payment, first, 1000), following('refund', payment, second, 1998))
    const ledger = [{ assoc_transaction_id: payment }]
    const over = await on.core.send('POST', '/transactions', { type: 'refund', amount: 0.02, ledger })
    expect(over.status).to.equal(400)
    on.expectRequests()
    const last = idOf(await on.business.refund(payment, 0.01))
    on.expectRequests(following('refund', payment, last, 1))
    expect((await on.become(payment, 'voided')).status).to.equal(400)
  })

  it('is not sent if only its description changes', async () => {
    await on.core.ok('PUT', `/transactions/${payment}`, { description: 'Two books' })
  })

  it("is not sent if the payer's bank takes the payment back", async () => {
    await on.business.simulate('chargeback', payment)
  })
})
