import { expect } from 'chai'
import { rejection } from '../../support/rejection.js'
import { NOW, StripeCase } from './stripe-case.js'

describe('the settlements that the rail reads from Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  const DAY = Math.floor(NOW / 1000)
  const payout = (id: string, amount: number, more: object = {}) => ({
    id,
    object: 'payout',
    created: DAY,
    arrival_date: DAY,
    amount,
    currency: 'usd',
    status: 'paid',
    automatic: true,
    reconciliation_status: 'completed',
    ...more,
  })
  const OWN = { account: null }
  const charge = { object: 'charge', id: 'ch_1', payment_intent: 'pi_1', metadata: { reference: 'txn_a' } }
  const refund = { object: 'refund', id: 're_1', metadata: { reference: 'txn_b' } }
  const line = (id: string, type: string, amount: number, more: object = {}) => ({
    id,
    object: 'balance_transaction',
    payout: 'po_1',
    type,
    amount,
    fee: 0,
    source: null,
    ...more,
  })
  const settlements = async (cursor: string | null, merchants: readonly string[] = []) => {
    const pulled = await stripe.rail.settlements?.(cursor, { ...stripe.credentials, merchants })
    if (!pulled) throw new Error('The rail has no settlements')
    return pulled
  }

  it("are Stripe's payouts with their lines and fees, each read once", async () => {
    stripe.server.payouts.push(payout('po_1', 1882))
    stripe.server.transactions.push(
      line('txn_1', 'charge', 2999, { fee: 117, source: charge }),
      line('txn_2', 'refund', -1000, { source: refund }),
      line('txn_3', 'adjustment', -500, { source: { object: 'dispute', id: 'du_1' } }),
      line('txn_4', 'adjustment', 500, { source: { object: 'dispute', id: 'du_1' } }),
      line('txn_5', 'stripe_fee', -50),
      line('txn_6', 'topup', 50),
      line('txn_7', 'payout', -1882),
    )
    const { batches, cursor } = await settlements(null)
    expect(batches).to.have.lengthOf(1)
    const [{ lines = [], ...batch } = {}] = batches
    expect(batch).to.include({ id: 'po_1', currency: 'USD', gross: 1999, fees: 117, net: 1882 })
    const { reference } = charge.metadata
    expect(lines.toReversed()).to.deep.equal([
      { id: 'txn_1', kind: 'payment', type: 'charge', amount: 2999, fee: 117, reference, gatewayId: 'pi_1' },
      {
        id: 'txn_2',
        kind: 'refund',
        type: 'refund',
        amount: -1000,
        fee: 0,
        reference: 'txn_b',
        gatewayId: 're_1',
      },
      { id: 'txn_3', kind: 'chargeback', type: 'adjustment', amount: -500, fee: 0, gatewayId: 'du_1' },
      {
        id: 'txn_4',
        kind: 'chargeback_reversal',
        type: 'adjustment',
        amount: 500,
        fee: 0,
        gatewayId: 'du_1',
      },
      { id: 'txn_5', kind: 'fee', type: 'stripe_fee', amount: -50, fee: 0 },
      { id: 'txn_6', kind: 'transfer', type: 'topup', amount: 50, fee: 0 },
    ])
    expect((await settlements(cursor)).batches).to.deep.equal([])
    stripe.server.payouts.push(payout('po_2', 0))
    expect((await settlements(cursor)).batches.map(({ id }) => id)).to.deep.equal(['po_2'])
  })

  it("subtract the amount that a partial capture released from the payment's line", async () => {
    stripe.server.payouts.push(payout('po_1', 940))
    const released = { object: 'refund', id: 're_9', payment_intent: 'pi_1', metadata: {} }
    stripe.server.transactions.push(
      line('txn_1', 'charge', 2999, { fee: 60, source: charge }),
      line('txn_2', 'refund', -1999, { source: released, reporting_category: 'partial_capture_reversal' }),
    )
    const [{ lines = [] } = {}] = (await settlements(null)).batches
    const { reference } = charge.metadata
    expect(lines).to.deep.equal([
      { id: 'txn_1', kind: 'payment', type: 'charge', amount: 1000, fee: 60, reference, gatewayId: 'pi_1' },
    ])
  })

  it('end before the first payout whose list is not complete', async () => {
    const waiting = payout('po_2', 0, { reconciliation_status: 'in_progress' })
    stripe.server.payouts.push(payout('po_0', 0, { status: 'failed' }), payout('po_1', 0), waiting)
    stripe.server.payouts.push(payout('po_3', 0))
    const { batches, cursor } = await settlements(null)
    expect(batches.map(({ id }) => id)).to.deep.equal(['po_1'])
    waiting.reconciliation_status = 'completed'
    const next = await settlements(cursor)
    expect(next.batches.map(({ id }) => id)).to.deep.equal(['po_2', 'po_3'])
  })

  it('reject with an error if the lines do not add up to the paid amount', async () => {
    stripe.server.payouts.push(payout('po_1', 1))
    expect((await rejection(settlements(null))).message).to.match(/come to 0, and it paid 1/)
  })

  it('are read once in each connected account that routes (`gateways route`) name', async () => {
    stripe.server.payouts.push(payout('po_1', 0, OWN), payout('po_b', 0, { account: 'acct_b' }))
    const named = async (cursor: string | null, ...merchants: readonly string[]) => {
      const { batches, cursor: next } = await settlements(cursor, merchants)
      return { names: batches.map(({ id, merchant }) => `${id} ${merchant}`), next }
    }
    const own = await named(null)
    expect(own.names).to.deep.equal(['po_1 undefined'])
    const both = await named(own.next, 'acct_b')
    expect(both.names).to.deep.equal(['po_b acct_b'])
    expect(await named(both.next, 'acct_b')).to.deep.equal({ names: [], next: both.next })
    stripe.server.payouts.push(payout('po_2', 0, { ...OWN, created: DAY + 1 }))
    stripe.server.payouts.push(payout('po_c', 0, { created: DAY + 1, account: 'acct_b' }))
    const later = await named(both.next, 'acct_b')
    expect(later.names).to.deep.equal(['po_2 undefined', 'po_c acct_b'])
    // An account that is no longer named is not read.
    expect(await named(later.next)).to.deep.equal({ names: [], next: later.next })
  })

  it('name the connected account of a failed payout', async () => {
    stripe.server.payouts.push(payout('po_b', 100, { account: 'acct_b', status: 'failed' }))
    const { failed = [] } = await settlements(null, ['acct_b'])
    expect(failed.map(({ payout: id, merchant }) => [id, merchant])).to.deep.equal([['po_b', 'acct_b']])
  })
})
