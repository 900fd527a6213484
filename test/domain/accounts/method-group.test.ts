import { expect } from 'chai'
import { groupProblems } from '../../../src/domain/accounts/payment-method-rule.js'
import { describeBankAccount, describeCard } from '../../../src/schema/method-description.js'

describe('the attribute groups of a payment method', () => {
  it('are required as its type demands, and each missing attribute is named', () => {
    expect(groupProblems('card', {})).to.deep.equal({ card: { card_number: 'Required', expiry: 'Required' } })
    expect(groupProblems('card', { card: { expiry: '12/30' } })).to.deep.equal({
      card: { card_number: 'Required' },
    })
    expect(groupProblems('bank_account', {})).to.deep.equal({
      bank_account: { account_number: 'Required', routing_number: 'Required', account_type: 'Required' },
    })
  })

  it('are refused for the other type', () => {
    const card = { card_number: '4242424242424242', expiry: '12/30' }
    expect(groupProblems('card', { card, bank_account: { account_number: '1234' } })).to.deep.equal({
      bank_account: 'Must not be sent with type card',
    })
  })

  it('are ignored if they are empty', () => {
    const card = { card_number: '4242424242424242', expiry: '12/30' }
    expect(groupProblems('card', { card, bank_account: { account_number: null } })).to.equal(undefined)
    expect(groupProblems('card', { card, bank_account: null })).to.equal(undefined)
  })

  it('provide the name of the method', () => {
    expect(describeCard('4242424242424242', 'visa')).to.equal('Visa ending in 4242')
    expect(describeCard('9999888877776666', undefined)).to.equal('Card ending in 6666')
    expect(describeBankAccount('1234567890', 'savings')).to.equal('Savings account ending in 7890')
    expect(describeBankAccount('1234567890', 'checking')).to.equal('Checking account ending in 7890')
  })
})
