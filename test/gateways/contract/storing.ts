import { expect } from 'chai'
import type { GatewayMethod, StoreOperation } from '../../../src/gateways/contract.js'
import { isTree } from '../../../src/schema/types.js'
import type { ContractCase } from './contract-case.js'

const CARD: GatewayMethod = {
  type: 'card',
  number: '4242424242424242',
  expiry: '12/39',
  cardCode: '123',
  holder: 'Ada Park',
  postalCode: '10001',
}

/** Tests of rails that store methods without a payment. */
export function storing(opened: () => ContractCase): void {
  const operation = (on: ContractCase, more: Partial<GatewayMethod> = {}): StoreOperation => ({
    reference: on.operation('sale').reference.replace('txn_', 'pm_of_the_contract_'),
    method: { ...CARD, ...more },
    consent: { text: 'They may charge it.', givenAt: on.longAgo(), address: '203.0.113.7' },
  })

  it('stores a method without a payment, and charges it later by its token', async () => {
    const on = opened()
    const { store, findStored, capabilities } = on.gateway
    if (!capabilities.store) return expect(store).to.equal(undefined)
    const storing = operation(on)
    const stored = await store?.(storing)
    if (stored?.result !== 'approved') throw new Error(JSON.stringify(stored))
    expect(stored.amount).to.equal(0)
    expect(stored.token).to.be.a('string').and.not.equal('')
    const found = await findStored?.({ ...storing, method: undefined }, { since: on.longAgo() + 1 })
    expect(found).to.deep.include({ result: 'approved', token: stored.token })
    return undefined
  })

  it('answers `never_seen` for a method that was never sent', async () => {
    const on = opened()
    if (!on.gateway.capabilities.store) return
    const storing = { ...operation(on), method: undefined }
    expect(await on.gateway.findStored?.(storing, { since: on.longAgo() + 1 })).to.equal('never_seen')
  })

  it('does not store a card that its bank declines', async () => {
    const on = opened()
    if (!on.gateway.capabilities.store || !on.validates) return
    const [declined] = on.declines
    const inside = isTree(declined?.method.card) ? declined.method.card : {}
    const stored = await on.gateway.store?.(operation(on, { number: String(inside.card_number) }))
    expect(stored).to.deep.include({ result: 'declined', statusCode: declined?.statusCode })
  })
}
