import { expect } from 'chai'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import type { ContractCase } from './contract-case.js'
import type { Fault } from './faulty-network.js'

/** Faults between payctl and the rail, and whether the rail executes the operation in spite of the fault. */
const UNKNOWN: readonly (readonly [fault: Fault, isDone: boolean])[] = [
  ['lost_before', false],
  ['unavailable', false],
  ['lost_after', true],
  ['fails_after', true],
  ['malformed', true],
  ['huge', true],
  ['mixed_up', true],
]

/** Tests that after a fault no operation is sent twice, guessed or forgotten. */
export function trouble(opened: () => ContractCase): void {
  for (const [fault, isDone] of UNKNOWN)
    it(`finds the outcome of a payment after the fault ${fault}`, async () => {
      const on = opened()
      await on.take()
      on.fault(fault)
      const { status, body } = await on.pay()
      expect([status, body.status]).to.deep.equal([200, 'processing'])
      const id = idOf(body)
      on.expectSent({ type: 'sale', amount: 3058, reference: id })
      await on.reconcile()
      if (!isDone && on.gateway.capabilities.horizon > 0)
        expect(await on.read(id)).to.include({ status: 'processing' })
      on.later()
      await on.reconcile()
      expect(await on.read(id)).to.include(
        isDone ? { status: 'processed' } : { status: 'declined', status_code: 'never_sent' },
      )
      // The outcome was queried and the payment was not sent again. The next payment is sent as usual.
      on.expectSent()
      await on.take()
    })

  for (const fault of ['lost_before', 'lost_after'] as const) {
    const isDone = fault === 'lost_after'

    for (const [type, wanted] of [
      ['capture', 'processed'],
      ['void', 'voided'],
    ] as const)
      it(`finds the outcome of a ${type} after the fault ${fault}, and refuses other changes until then`, async () => {
        const on = opened()
        const { id } = await on.take({ status: 'authorized' })
        on.fault(fault)
        expect((await on.become(id, wanted)).status).to.equal(200)
        expect((await on.become(id, 'voided')).status).to.equal(409)
        on.expectSent({ type, amount: 3058 })
        on.later()
        await on.reconcile()
        expect(await on.read(id)).to.include({ status: isDone ? wanted : 'authorized' })
        on.expectSent()
        if (!isDone) await on.become(id, 'voided')
        on.countSent()
      })

    it(`finds the outcome of a partial capture after the fault ${fault}, and refuses other changes until then`, async () => {
      const on = opened()
      if (!on.gateway.capabilities.partialCapture) return
      const { id } = await on.take({ status: 'authorized' })
      on.fault(fault)
      expect((await on.capture(id, 10)).body).to.include({ status: 'authorized', amount: 29.99 })
      expect((await on.capture(id, 9)).status).to.equal(409)
      on.expectSent({ type: 'capture', amount: 1030 })
      on.later()
      await on.reconcile()
      expect(await on.read(id)).to.include(
        isDone ? { status: 'processed', amount: 10 } : { status: 'authorized', amount: 29.99 },
      )
      on.expectSent()
      if (!isDone) await on.become(id, 'voided')
      on.countSent()
    })

    it(`finds the outcome of a refund after the fault ${fault}, and refuses other refunds until then`, async () => {
      const on = opened()
      const { id } = await on.take()
      await on.settle()
      on.fault(fault)
      const refund = (await on.refund(id, 10)).body
      expect(refund).to.include({ status: 'processing' })
      expect((await on.refund(id, 1)).status).to.equal(409)
      on.expectSent({ type: 'refund', amount: 1000, reference: idOf(refund) })
      on.later()
      await on.reconcile()
      expect(await on.read(idOf(refund))).to.include({ status: isDone ? 'processed' : 'declined' })
      on.expectSent()
    })
  }

  it('waits for a payment that arrives late, within the horizon', async () => {
    const on = opened()
    if (on.gateway.capabilities.horizon === 0) return
    on.fault('arrives_late')
    const { body } = await on.pay()
    await on.reconcile()
    expect(await on.read(idOf(body))).to.include({ status: 'processing' })
    await on.release()
    await on.reconcile()
    expect(await on.read(idOf(body))).to.include({ status: 'processed' })
    on.expectSent({ type: 'sale', amount: 3058, reference: idOf(body) })
  })
}

/** Tests that need the server of a rail's wire format. */
export function troubleOverTheWire(opened: () => ContractCase): void {
  it('voids a payment that arrives after payctl gave it up, as soon as the rail reports it', async () => {
    const on = opened()
    on.fault('arrives_late')
    const { body } = await on.pay()
    const { id, ref_number: number } = body
    on.later()
    await on.reconcile()
    expect(await on.read(String(id))).to.include({ status: 'declined', status_code: 'never_sent' })
    await on.release()
    const asked = { reference: String(id), refNumber: String(number), amount: 3058 }
    const found = await on.gateway.find(on.operation('sale', asked), { since: on.longAgo() })
    if (typeof found === 'string') throw new Error(`It is ${found}`)
    const posted = on.wire.notice(String(found.gatewayId))
    expect(await on.post(posted)).to.equal('stored')
    await on.reconcile()
    on.expectSent(
      { type: 'sale', amount: 3058, reference: String(id) },
      { type: on.gateway.capabilities.voidCaptured === 'refund' ? 'refund' : 'void', amount: 3058 },
    )
    expect(await on.exceptions(String(id))).to.deep.equal(['late_approval resolved 30.58'])
    await on.post(posted)
    await on.reconcile()
    on.expectSent()
  })

  it('lists the requested operations since a time, for restored databases that lack them', async () => {
    const on = opened()
    const { id } = await on.take()
    const listed = []
    for await (const found of on.gateway.operations?.(on.longAgo()) ?? []) listed.push(found)
    expect(
      listed.map(({ reference, type, amount, state }) => [reference, type, amount, state]),
    ).to.deep.include([id, 'sale', 3058, 'captured'])
  })

  for (const [type, wanted] of [
    ['capture', 'processed'],
    ['void', 'voided'],
  ] as const)
    it(`books a ${type} that arrives after payctl gave it up, as soon as the rail reports it`, async () => {
      const on = opened()
      const { id, there } = await on.take({ status: 'authorized' })
      on.fault('arrives_late')
      await on.become(id, wanted)
      on.later()
      await on.reconcile()
      expect(await on.read(id)).to.include({ status: 'authorized' })
      await on.release()
      for (let times = 0; times < 2; times++) {
        await on.post(on.wire.notice(there))
        await on.reconcile()
        expect(await on.read(id)).to.include({ status: wanted })
      }
      on.expectSent({ type, amount: 3058 })
    })

  it('opens a reconciliation exception for a refund that arrives after payctl gave it up', async () => {
    const on = opened()
    const { id } = await on.take()
    await on.settle()
    on.fault('arrives_late')
    const refund = String((await on.refund(id, 10)).body.id)
    on.later()
    await on.reconcile()
    expect(await on.read(refund)).to.include({ status: 'declined', status_code: 'never_sent' })
    await on.release()
    on.elsewhere -= 1000
    for (const there of await on.wire.operations()) await on.post(on.wire.notice(there))
    await on.reconcile()
    expect(await on.exceptions(refund)).to.deep.equal(['late_approval open 10'])
    on.expectSent({ type: 'refund', amount: 1000 })
  })

  it('opens a reconciliation exception for a refund made by hand at the processor, which an operator links to its payment', async () => {
    const on = opened()
    const { id, there } = await on.take()
    await on.settle()
    const refund = await on.wire.refundByHand(there, 1000)
    on.countSent()
    for (let times = 0; times < 2; times++) {
      await on.post(on.wire.notice(refund))
      await on.reconcile()
    }
    expect(await on.exceptions(id)).to.deep.equal(['amount_differs open 10'])
    const query = { query: `transaction_id=${id}` }
    const [raised] = valuesOf(await on.core.ok('GET', '/admin/exceptions', undefined, query))
    await on.core.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, {
      resolution: 'link',
      transaction_id: id,
      reason: 'refunded by phone',
    })
    expect((await on.refund(id, 20)).status).to.equal(400)
    on.expectSent()
  })

  it('sends no payment to a rail that cannot be reached, and accepts the same key again', async () => {
    const on = opened()
    const { base_url, credentials } = on.wire.configuration
    await on.configure({ base_url: 'http://127.0.0.1:1', credentials })
    const { status, headers, body } = await on.pay({}, 'anew')
    expect(status).to.equal(503)
    expect(headers).to.have.property('Retry-After')
    expect(JSON.stringify(body)).to.not.include('4242424242424242')
    await on.configure({ base_url, credentials })
    expect((await on.pay({}, 'anew')).body).to.include({ status: 'processed' })
    on.expectSent({ type: 'sale', amount: 3058 })
  })

  it('treats a request that the rail refuses with 429 as not sent, and sends no other until the rail’s delay is over', async () => {
    const on = opened()
    const { credentials } = on.wire.configuration
    const { id } = await on.take({ status: 'authorized' })
    on.fault('too_many')
    const refused = await on.pay({}, 'again')
    expect([refused.status, refused.headers['Retry-After']]).to.deep.equal([503, '7'])
    const held = await on.become(id, 'processed')
    expect([held.status, Number(held.headers['Retry-After']) <= 7]).to.deep.equal([503, true])
    expect(await on.read(id)).to.include({ status: 'authorized' })
    expect(on.countSent()).to.equal(1)
    // A changed configuration makes a new connection, which does not wait.
    await on.configure({ credentials })
    expect((await on.pay({}, 'again')).body).to.include({ status: 'processed' })
    on.expectSent({ type: 'sale', amount: 3058 })
    expect((await on.become(id, 'processed')).body).to.include({ status: 'processed' })
    on.countSent()
  })

  it('reports wrong credentials, and gets no more operations until they are fixed', async () => {
    const on = opened()
    const { credentials } = on.wire.configuration
    const { id } = await on.take({ status: 'authorized' })
    await on.configure({ credentials: on.wrongCredentials() })
    const refused = await on.pay()
    expect([refused.status, objectOf(refused.body).error_type]).to.deep.equal([503, 'ServiceUnavailable'])
    expect((await on.become(id, 'processed')).status).to.equal(503)
    expect(await on.read(id)).to.include({ status: 'authorized' })
    // The capture was not sent.
    expect(on.countSent()).to.be.at.most(1)
    await on.configure({ credentials })
    expect((await on.become(id, 'processed')).body).to.include({ status: 'processed' })
    on.expectSent({ type: 'capture', amount: 3058 })
  })
}
