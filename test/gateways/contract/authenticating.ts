import { expect } from 'chai'
import { idOf } from '../../support/core.js'
import type { ContractCase } from './contract-case.js'

/** Tests of rails whose payers may have to authenticate, over the rails' wire formats. */
export function authenticating(opened: () => ContractCase): void {
  const begin = async (on: ContractCase) => {
    const { authenticating: way } = on.wire
    if (!way) throw new Error('The server lets nobody authenticate')
    const { status, body } = await on.pay({ payment_method: way.method })
    expect([status, body.status, body.status_code]).to.deep.equal([
      200,
      'processing',
      'authentication_required',
    ])
    on.countSent()
    return { id: idOf(body), there: String(body.gateway_id), way }
  }
  const stateOf = async (on: ContractCase, id: string) => {
    const { status, status_code: code } = await on.read(id)
    return `${status} ${code}`
  }
  const isWithout = (on: ContractCase) => !on.gateway.capabilities.authentication

  it('processes a payment once after its payer has authenticated', async () => {
    const on = opened()
    if (isWithout(on)) return
    const { id, there, way } = await begin(on)
    await way.answer(there, true)
    for (let times = 0; times < 2; times++) await on.reconcile()
    expect(await stateOf(on, id)).to.equal('processed approved')
    on.expectSent()
  })

  it('cancels and declines a payment whose payer refuses to authenticate', async () => {
    const on = opened()
    if (isWithout(on)) return
    const { id, there, way } = await begin(on)
    await way.answer(there, false)
    const faults = way.declinesRefused ? [] : (['lost_before', 'unavailable', 'lost_after'] as const)
    for (const fault of faults) {
      on.fault(fault)
      await on.reconcile()
    }
    await on.reconcile()
    expect(await stateOf(on, id)).to.equal('declined authentication_required')
    expect(await way.isOver(there)).to.equal(true)
    on.countSent()
  })

  it('cancels a payment that was not authenticated for half an hour, even if requests or answers are lost', async () => {
    const on = opened()
    if (isWithout(on)) return
    const { id, there, way } = await begin(on)
    await on.reconcile()
    on.expectSent()
    for (let times = 0; times < 2; times++) on.later()
    on.fault('lost_before')
    await on.reconcile()
    expect([await stateOf(on, id), await way.isOver(there)]).to.deep.equal([
      'processing authentication_required',
      false,
    ])
    on.fault('lost_after')
    for (let times = 0; times < 2; times++) await on.reconcile()
    expect([await stateOf(on, id), await way.isOver(there)]).to.deep.equal([
      'declined authentication_required',
      true,
    ])
    on.countSent()
  })

  it('processes a payment whose payer authenticates at the last moment', async () => {
    const on = opened()
    if (isWithout(on)) return
    const { id, there, way } = await begin(on)
    for (let times = 0; times < 2; times++) on.later()
    await way.answer(there, true)
    await on.reconcile()
    expect(await stateOf(on, id)).to.equal('processed approved')
    on.expectSent()
  })
}
