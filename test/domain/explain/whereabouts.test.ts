import { expect } from 'chai'
import { whereabouts } from '../../../src/domain/explain/whereabouts.js'

type Row = Parameters<typeof whereabouts>[0]

const payment: Row = {
  type: 'payment',
  status: 'processed',
  status_message: 'General decline',
  funding_status: 'pending',
  risk_flag: 'allowed',
  awaiting: 'cut_off',
  due_at: '2030-01-16 00:00:00',
  amount: 2999,
  processed_date: '2030-01-15',
  period: null,
  status_code: null,
  pending_operation: null,
  next_action__expires_at: null,
}
const deposit: Row = { ...payment, type: 'deposit', funding_status: null, period: '2030-01-15', amount: 2882 }

describe('the explanation of where the money is', () => {
  const told: [string, Partial<Row>, Row | undefined, RegExp][] = [
    ['declined', { status: 'declined' }, undefined, /declined \(General decline\): no money has moved/],
    ['voided', { status: 'voided' }, undefined, /voided: no money has moved/],
    [
      'waiting for its payer',
      { status: 'processing', status_code: 'authentication_required', pending_operation: 'sale' },
      undefined,
      /payer has to confirm it/,
    ],
    ['processing', { status: 'processing' }, undefined, /gateway has not said yet/],
    ['authorized', { status: 'authorized' }, undefined, /set aside, and moves once it is captured/],
    ['held', { status: 'authorized', risk_flag: 'in_review' }, undefined, /held for review/],
    [
      'rejected',
      { status: 'rejected', funding_status: 'reversed' },
      undefined,
      /taken back by the payer's bank/,
    ],
    ['pending', {}, undefined, /end of its business day, at 2030-01-16 00:00:00 UTC/],
    ['captured', { funding_status: 'captured' }, undefined, /was captured, and goes into the deposit/],
    ['batched', { funding_status: 'batched' }, deposit, /paid with the deposit of 2030-01-15, on 2030-01-15/],
    ['refunded before', { funding_status: 'refunded' }, undefined, /before it was deposited/],
    ['refunded after', { funding_status: 'refunded' }, deposit, /and has been refunded since/],
    ['a deposit', deposit, undefined, /the deposit of 2030-01-15: 28.82 moved on 2030-01-15/],
    ['an open deposit', { ...deposit, status: 'processing' }, undefined, /still being put together/],
    ['a refund', { type: 'refund', funding_status: null }, undefined, /follows from the transactions/],
  ]
  for (const [what, change, settled, sentence] of told)
    it(`describes a transaction that is ${what}`, () => {
      expect(whereabouts({ ...payment, ...change }, settled)).to.match(sentence)
    })
})
