import { expect } from 'chai'
import type { GatewayMethod, GatewayOperation } from '../../src/gateways/contract.js'
import { simulator } from '../../src/gateways/simulator/simulator.js'

const card = (changes: Partial<GatewayMethod> = {}): GatewayMethod => ({
  type: 'card',
  number: '4242424242424242',
  ...changes,
})

const sale = (method?: GatewayMethod): GatewayOperation => ({
  type: 'sale',
  reference: 'txn_1',
  amount: 2999,
  currency: 'USD',
  method,
})

describe('the embedded simulator', () => {
  const reasons = [
    'card_expired',
    'duplicate_attempt',
    'exceeded_limit',
    'general_decline',
    'insufficient_bal',
    'invalid_card_code',
    'invalid_card_number',
    'invalid_zip',
    'suspicious_activity',
    'too_many_attempts',
  ]
  for (const [index, reason] of reasons.entries()) {
    const number = `41111111111199${String(index).padStart(2, '0')}`
    it(`declines ${number} with ${reason}`, () => {
      expect(simulator.perform(sale(card({ number })))).to.include({ result: 'declined', statusCode: reason })
    })
  }

  it('approves every other card, including the number after the last declining one', () => {
    for (const number of ['4242424242424242', '4111111111119910', '4111111111111111']) {
      expect(simulator.perform(sale(card({ number })))).to.include({ result: 'approved', amount: 2999 })
    }
  })

  it('approves bank accounts and operations without a method, without an address check', () => {
    const bank: GatewayMethod = { type: 'bank_account', number: '1234567890', routing: '021000021' }
    for (const operation of [sale(bank), sale()]) {
      expect(simulator.perform(operation)).to.deep.equal({
        result: 'approved',
        amount: 2999,
        avs: null,
      })
    }
  })

  const addresses: [Partial<GatewayMethod>, string][] = [
    [{}, 'unknown'],
    [{ street: '', postalCode: '' }, 'unknown'],
    [{ street: '1 Main St', postalCode: '10001' }, 'street_and_zip'],
    [{ street: '999 Main St', postalCode: '10001' }, 'zip'],
    [{ street: '1 Main St', postalCode: '99999' }, 'street'],
    [{ street: '999 Main St', postalCode: '99999' }, 'no_match'],
    [{ street: '1 Main St' }, 'street'],
    [{ street: '999 Main St' }, 'no_match'],
    [{ postalCode: '10001' }, 'zip'],
    [{ postalCode: '99999-1234' }, 'no_match'],
    [{ street: '9990 Main St' }, 'street'],
  ]
  for (const [address, avs] of addresses) {
    it(`answers the address check ${avs} for ${JSON.stringify(address)}`, () => {
      expect(simulator.perform(sale(card(address))).avs).to.equal(avs)
    })
  }
})
