import { expect } from 'chai'
import type { GatewayOperation } from '../../../src/gateways/contract.js'
import { peerRequest } from '../../../src/gateways/peer/peer-request.js'

const credentials = {
  environment: 'live',
  baseUrl: 'https://pay.example',
  merchant: 'acct_1',
  secrets: {},
} as const
const card = { type: 'card', number: '4242424242424242', expiry: '12/39', cardCode: '123' } as const
const operation = (more: Partial<GatewayOperation>): GatewayOperation => ({
  type: 'sale',
  reference: 'txn_1',
  amount: 3058,
  currency: 'USD',
  method: card,
  ...more,
})

describe('requests to a peer', () => {
  it('contain all given facts of a payment, and our reference', () => {
    const words = { description: 'Bread', orderNumber: 'A-1', descriptor: 'SHOP' }
    const { method, path, body } = peerRequest(operation(words), undefined, credentials)
    expect([method, path]).to.deep.equal(['POST', '/transactions'])
    expect(body).to.deep.include({
      type: 'payment',
      amount: 30.58,
      attrs: { reference: 'txn_1' },
      processing_id: 'acct_1',
      description: 'Bread',
      order_number: 'A-1',
      descriptor: 'SHOP',
    })
    expect(body?.['payment_method']).to.deep.include({ type: 'card', keep_active: false })
  })

  it('name the merchant of the operation rather than the merchant of the credentials', () => {
    const { body } = peerRequest(operation({ merchant: 'acct_2' }), undefined, credentials)
    expect(body).to.include({ processing_id: 'acct_2' })
  })

  it('for refunds name the payment, or a method if there is no payment', () => {
    const linked = peerRequest(operation({ type: 'refund' }), 'txn_9', credentials).body
    expect(linked).to.deep.include({ type: 'refund', ledger: [{ assoc_transaction_id: 'txn_9' }] })
    expect(linked).to.not.have.property('payment_method')
    const blind = peerRequest(operation({ type: 'refund' }), undefined, credentials).body
    expect(blind).to.include({ type: 'refund' }).and.have.property('payment_method')
  })
})
