import { expect } from 'chai'
import { valuesOf } from '../../support/core.js'
import type { ContractCase } from './contract-case.js'

/** Tests of notifications that rails send. */
export function telling(opened: () => ContractCase): void {
  it('refuses forged notifications, and notifications for an unknown gateway', async () => {
    const on = opened()
    const { there } = await on.take()
    const { headers, body } = on.wire.notice(there)
    expect(await on.post({ headers, body: Buffer.concat([body, Buffer.from(' ')]) })).to.equal('forged')
    expect(await on.post({ headers: {}, body })).to.equal('forged')
    expect(await on.core.app.receiveNotification({ id: 'gw_none', headers, body })).to.equal('unknown')
  })

  it('changes no record because of repeated or late notifications', async () => {
    const on = opened()
    const { id, there } = await on.take({ status: 'authorized' })
    const early = on.wire.notice(there)
    await on.become(id, 'processed')
    await on.become(id, 'voided')
    const before = await on.read(id)
    for (const posted of [early, on.wire.notice(there), early]) {
      expect(await on.post(posted)).to.equal('stored')
      await on.reconcile()
    }
    expect(await on.read(id)).to.deep.equal(before)
    const waiting = { query: 'status=waiting' }
    expect(
      valuesOf(await on.core.ok('GET', '/admin/gateway_notifications', undefined, waiting)),
    ).to.deep.equal([])
    on.countSent()
  })

  it('books a chargeback only once if it exceeds the rest of the payment', async () => {
    const on = opened()
    const { id, there } = await on.take()
    await on.settle()
    await on.refund(id, 10)
    on.countSent()
    const before = await on.chargebacks()
    const { amount, posted } = await on.wire.takeBack(there)
    for (let times = 0; times < 2; times++) {
      await on.post(posted)
      await on.reconcile()
    }
    expect(await on.read(id)).to.include({ status: 'rejected' })
    expect(await on.chargebacks()).to.equal(before + 1)
    const beyond = amount - 1999 - 59
    expect(await on.exceptions(id)).to.deep.equal(
      beyond > 0 ? [`dispute_beyond_balance open ${beyond / 100}`] : [],
    )
    on.expectSent()
  })

  it('opens no reconciliation exception for disputes about payments that others took at the same account', async () => {
    const on = opened()
    const stranger = await on.foreign(888)
    const before = await on.exceptions(null)
    const { posted } = await on.wire.takeBack(stranger)
    for (let times = 0; times < 2; times++) {
      await on.post(posted)
      await on.reconcile()
    }
    expect(await on.exceptions(null)).to.have.members(before)
  })

  it('counts payments that others took at the same account as foreign in a payout, without a reconciliation exception', async () => {
    const on = opened()
    const listed = async (query: string) =>
      valuesOf(
        await on.core.ok('GET', '/admin/settlement_lines', undefined, { query: `${query}&limit=1000` }),
      )
    const foreign = async () =>
      (await listed('kind=foreign')).reduce((sum, { count }) => sum + Number(count), 0)
    const pull = async () => {
      await on.settle()
      on.later()
      expect(await on.core.ok('POST', '/admin/pull_settlements')).to.include({ gateways: 1, problems: null })
    }
    await on.take()
    await pull()
    const before = [await foreign(), await on.exceptions(null), (await listed('status=unmatched')).length]
    for (const amount of [101, 202, 303]) await on.foreign(amount)
    await pull()
    const [count, exceptions, unmatched] = before
    expect(await foreign()).to.equal(Number(count) + 3)
    expect(await on.exceptions(null)).to.have.members(Array.isArray(exceptions) ? exceptions : [])
    expect(await listed('status=unmatched')).to.have.length(Number(unmatched))
  })
}
