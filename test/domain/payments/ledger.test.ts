import { expect } from 'chai'
import fc from 'fast-check'
import { contraEntries } from '../../../src/domain/ledger/ledger-entry.js'

const amounts = fc.integer({ min: 1, max: 9_999_999_999 })
const types = ['deposit', 'refund', 'chargeback', 'reversal', 'chargeback_reversal'] as const
const lowering = new Set<string>(['deposit', 'refund', 'chargeback'])

describe('ledger entries', () => {
  it('of a refund show −x on the payment and +x on the refund', () => {
    expect(contraEntries({ id: 'p', type: 'payment' }, { id: 'r', type: 'refund' }, 500)).to.deep.equal([
      { transactionId: 'p', assocTransactionId: 'r', entryType: 'refund', amount: -500 },
      { transactionId: 'r', assocTransactionId: 'p', entryType: 'payment', amount: 500 },
    ])
  })

  it('mirror each other, with the sign of the relation', () => {
    fc.assert(
      fc.property(fc.constantFrom(...types), amounts, (type, amount) => {
        const entries = contraEntries({ id: 'p', type: 'payment' }, { id: 'c', type }, amount)
        const [onParent, onChild] = entries
        expect(entries).to.have.length(2)
        expect((onParent?.amount ?? 0) + (onChild?.amount ?? 0)).to.equal(0)
        expect(onParent?.amount).to.equal(lowering.has(type) ? -amount : amount)
        expect(onParent?.transactionId).to.equal(onChild?.assocTransactionId)
        expect(onParent?.assocTransactionId).to.equal(onChild?.transactionId)
        expect([onParent?.entryType, onChild?.entryType]).to.deep.equal([type, 'payment'])
      }),
    )
  })
})
