import { expect } from 'chai'
import { idOf, objectOf, valuesOf } from '../../support/core.js'
import type { ContractCase } from './contract-case.js'

/** Tests of rails that take payments and change them. */
export function taking(opened: () => ContractCase): void {
  it('takes a payment with its convenience fee, once for an idempotency key', async () => {
    const on = opened()
    const { body: taken } = await on.pay({}, 'taken once')
    expect(await on.read(idOf(taken))).to.include({ status: 'processed', conv_fee: 0.59 })
    expect(idOf((await on.pay({}, 'taken once')).body)).to.equal(idOf(taken))
    on.expectSent({ type: 'sale', amount: 3058, reference: idOf(taken) })
  })

  it('executes an operation only once if it is sent twice', async () => {
    const on = opened()
    const method = { type: 'card', number: '4242424242424242', expiry: '12/39', cardCode: '123' } as const
    const sale = on.operation('sale', { method })
    const outcome = await on.gateway.perform(sale)
    expect(outcome).to.include({ result: 'approved', amount: 1234 })
    expect(await on.gateway.perform(sale)).to.include({ result: 'approved', amount: 1234 })
    on.elsewhere += 1234
  })

  it('captures an authorized payment once, and does not capture a voided one', async () => {
    const on = opened()
    const { id } = await on.take({ status: 'authorized' })
    expect((await on.become(id, 'processed')).body).to.include({ status: 'processed' })
    on.expectSent({ type: 'capture', amount: 3058 })
    expect((await on.become(id, 'processed')).status).to.equal(200)
    on.expectSent()
    const { id: other } = await on.take({ status: 'authorized' })
    expect((await on.become(other, 'voided')).body).to.include({ status: 'voided' })
    on.expectSent({ type: 'void', amount: 3058 })
    expect((await on.become(other, 'processed')).status).to.equal(400)
    on.expectSent()
  })

  it('captures a part with its own convenience fee and releases the rest, or refuses the partial capture', async () => {
    const on = opened()
    // Settle payments of other tests first.
    await on.settle()
    await on.reconcile()
    const before = await on.exceptions(null)
    const { id } = await on.take({ status: 'authorized' })
    const { status, body } = await on.capture(id, 10)
    if (!on.gateway.capabilities.partialCapture) {
      expect([status, Object.keys(body.details ?? {})]).to.deep.equal([400, ['amount']])
      on.expectSent()
      await on.become(id, 'voided')
      on.countSent()
      return
    }
    expect([status, body.status, body.amount]).to.deep.equal([200, 'processed', 10])
    on.expectSent({ type: 'capture', amount: 1030 })
    expect(await on.read(id)).to.include({ amount: 10, conv_fee: 0.3 })
    expect((await on.capture(id, 5)).status).to.equal(400)
    on.expectSent()
    await on.settle()
    await on.reconcile()
    expect(await on.read(id)).to.include({ status: 'processed', amount: 10 })
    expect(await on.exceptions(id)).to.deep.equal([])
    expect(await on.exceptions(null)).to.deep.equal(before)
  })

  it('refuses to capture more than was authorized, and sends no request', async () => {
    const on = opened()
    const { id } = await on.take({ status: 'authorized' })
    const { status, body } = await on.capture(id, 30)
    expect([status, Object.keys(body.details ?? {})]).to.deep.equal([400, ['amount']])
    on.expectSent()
    await on.become(id, 'voided')
    on.countSent()
  })

  it('voids a captured payment, by a full refund if the rail cannot void it', async () => {
    const on = opened()
    const { id } = await on.take()
    expect((await on.become(id, 'voided')).body).to.include({ status: 'voided' })
    on.expectSent({
      type: on.gateway.capabilities.voidCaptured === 'refund' ? 'refund' : 'void',
      amount: 3058,
    })
  })

  it('refunds a payment in parts and never more than its amount, before or after settlement', async () => {
    const on = opened()
    const { id } = await on.take()
    const early = await on.refund(id, 10)
    if (on.gateway.capabilities.refundBeforeSettlement)
      expect(early.body).to.include({ status: 'processed', amount: 10 })
    else {
      expect(early.body).to.include({ status: 'processing' })
      await on.reconcile()
      on.expectSent()
      await on.settle()
      await on.reconcile()
      expect(await on.read(idOf(early.body))).to.include({ status: 'processed' })
    }
    on.expectSent({ type: 'refund', amount: 1000, reference: idOf(early.body) })
    const rest = (await on.refund(id, 19.99)).body
    on.expectSent({ type: 'refund', amount: 1999, reference: idOf(rest) })
    expect((await on.refund(id, 0.01)).status).to.equal(400)
    on.expectSent()
  })

  it('waits for the answer of a slow rail', async () => {
    const on = opened()
    on.fault('slow')
    const paying = on.pay()
    await on.arrived()
    await on.release()
    const { body } = await paying
    expect(body).to.include({ status: 'processed' })
    on.expectSent({ type: 'sale', amount: 3058, reference: idOf(body) })
  })
}

/** Tests that need the server of a rail's wire format. */
export function takingOverTheWire(opened: () => ContractCase): void {
  it('voids a payment of which only a part was approved', async () => {
    const on = opened()
    const { partial } = on.wire
    if (!partial) return
    const { status, body } = await on.pay({ payment_method: partial })
    expect(status).to.equal(400)
    const declined = objectOf(body.details)
    expect(declined).to.include({ status: 'declined', status_code: 'partial_approval' })
    on.expectSent({ type: 'sale', amount: 3058, reference: idOf(declined) }, { type: 'void', amount: 1529 })
  })

  it("opens a reconciliation exception for a payment that was approved for a higher amount, with the rail's id of the payment", async () => {
    const on = opened()
    // A request of the previous test may have arrived later.
    on.countSent()
    on.fault('names_more')
    const { status, body } = await on.pay()
    expect([status, body.status], JSON.stringify(body)).to.deep.equal([200, 'processed'])
    const id = idOf(body)
    on.expectSent({ type: 'sale', amount: 3058, reference: id })
    expect(await on.exceptions(id)).to.deep.equal(on.wire.namesAmounts ? ['amount_differs open 5'] : [])
    if (!on.wire.namesAmounts) return
    const query = { query: `transaction_id=${id}` }
    const [raised] = valuesOf(await on.core.ok('GET', '/admin/exceptions', undefined, query))
    expect(raised).to.include({ gateway: 'rail', gateway_id: body.gateway_id })
    const decided = { resolution: 'refund', reason: 'the payer has it back' }
    await on.core.ok('POST', `/admin/exceptions/${raised?.id}/resolve`, decided)
    on.expectSent({ type: 'refund', amount: 500 })
    expect(await on.exceptions(id)).to.deep.equal(['amount_differs resolved 5'])
    on.elsewhere -= 500
  })

  for (const isGood of [true, false])
    it(`keeps a pending payment open until the rail reports that it is ${isGood ? 'settled' : 'returned'}`, async () => {
      const on = opened()
      const { body } = await on.pay({ payment_method: await on.wire.pending(isGood) })
      expect(body).to.include({ status: 'processing' })
      on.later()
      await on.reconcile()
      const id = idOf(body)
      expect(await on.read(id)).to.include({ status: 'processing' })
      const { gateway_id: there } = await on.read(id)
      await on.wire.decide(String(there), isGood)
      expect(await on.post(on.wire.notice(String(there)))).to.equal('stored')
      await on.reconcile()
      expect(await on.read(id)).to.include({ status: isGood ? 'processed' : 'declined' })
      on.expectSent({ type: 'sale', reference: id })
    })

  it('declines the capture of an expired authorization', async () => {
    const on = opened()
    const { id, there } = await on.take({ status: 'authorized' })
    await on.wire.expire(there)
    expect((await on.become(id, 'processed')).status).to.equal(400)
    on.expectSent({ type: 'capture', amount: 3058 })
    expect(await on.read(id)).to.include({ status: 'declined' })
  })

  it('does not void a settled payment, unless the rail voids by a refund', async () => {
    const on = opened()
    const { id, there } = await on.take()
    await on.wire.settle()
    const { status, body } = await on.become(id, 'voided')
    if (on.gateway.capabilities.voidCaptured === 'refund') {
      expect(body).to.include({ status: 'voided' })
      on.expectSent({ type: 'refund', amount: 3058 })
      return
    }
    expect(status).to.equal(400)
    expect(JSON.stringify(body.details)).to.include('it has settled, refund it instead')
    on.expectSent({ type: 'void', amount: 3058 })
    expect(await on.read(id)).to.include({ status: 'processed', funding_status: 'captured' })
    const parent = { reference: id, gatewayId: there, isCaptured: true, lastDigits: '4242' }
    const beyond = on.operation('refund', { amount: 3059, parent })
    expect(await on.gateway.perform(beyond)).to.include({ result: 'declined' })
    on.expectSent({ type: 'refund', amount: 3059 })
  })

  it('reports settled payments: ours, and those that others took', async () => {
    const on = opened()
    if (!on.gateway.settlements) return
    const before = await on.gateway.settlements(null)
    const { id, there } = await on.take()
    const stranger = await on.foreign(777)
    await on.wire.settle()
    on.later()
    const { batches } = await on.gateway.settlements(before.cursor)
    const known = new Set(before.batches.flatMap(({ lines }) => lines.map((line) => line.id)))
    const lines = batches.flatMap((batch) => batch.lines).filter((line) => !known.has(line.id))
    const ours = lines.filter(({ reference, gatewayId }) => reference === id || gatewayId === there)
    expect(ours.map(({ kind, amount }) => [kind, amount])).to.deep.equal([['payment', 3058]])
    const theirs = lines.filter(({ gatewayId }) => gatewayId === stranger)
    expect(theirs.map(({ kind, amount }) => [kind, amount])).to.deep.equal([['payment', 777]])
    for (const { gross, lines: of } of batches)
      expect(of.reduce((sum, { amount }) => sum + amount, 0)).to.equal(gross)
  })

  it('settles a payment that was refunded in full before, as its capability `settlesRefunded` declares', async () => {
    const on = opened()
    if (!on.gateway.settlements) return
    await on.wire.settle()
    const { cursor } = await on.gateway.settlements(null)
    const method = { type: 'card', number: '4242424242424242', expiry: '12/39', cardCode: '123' } as const
    const sale = on.operation('sale', { method })
    const taken = await on.gateway.perform(sale)
    const gatewayId = ('gatewayId' in taken && taken.gatewayId) || ''
    const parent = { reference: sale.reference, gatewayId, lastDigits: '4242' }
    const refund = await on.gateway.perform(on.operation('refund', { parent }))
    const { refundBeforeSettlement, settlesRefunded } = on.gateway.capabilities
    expect(refund).to.include({ result: refundBeforeSettlement ? 'approved' : 'declined' })
    if (!refundBeforeSettlement) on.elsewhere += 1234
    await on.wire.settle()
    on.later()
    const { batches } = await on.gateway.settlements(cursor)
    const lines = batches.flatMap((batch) => batch.lines)
    const ours = lines.filter((line) => line.reference === sale.reference || line.gatewayId === gatewayId)
    expect(ours.some(({ kind }) => kind === 'payment')).to.equal(settlesRefunded)
    on.countSent()
  })
}
