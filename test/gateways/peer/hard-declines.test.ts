import { expect } from 'chai'
import { outcomeOf, peerTransaction } from '../../../src/gateways/peer/peer-transaction.js'

describe('a decline of a peer', () => {
  const outcome = (status_code: string, more: object = {}) => {
    const declined = {
      id: 'txn_1',
      type: 'payment',
      status: 'declined',
      amount: 5,
      status_code,
      ...more,
    }
    const transaction = peerTransaction(declined)
    return transaction && outcomeOf(transaction, 'sale')
  }

  it('is hard according to its code', () => {
    for (const code of ['card_lost', 'card_stolen', 'card_expired', 'authorization_revoked'])
      expect(outcome(code), code).to.include({ result: 'declined', isHard: true })
    for (const code of ['insufficient_bal', 'general_decline', 'exceeded_limit', 'whatever'])
      expect(outcome(code), code).to.include({ result: 'declined', isHard: false })
  })

  it("is not hard if the peer's own risk screening declined", () => {
    expect(outcome('suspicious_activity')).to.include({ isHard: true })
    expect(outcome('suspicious_activity', { risk_flag: 'denied' })).to.include({ isHard: false })
  })
})
