import { expect } from 'chai'
import { writeDataUrl } from '../../../src/schema/data-url.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import type { ContractCase } from './contract-case.js'

const EVIDENCE = {
  text: 'It was delivered',
  files: [{ name: 'slip.pdf', content: writeDataUrl({ bytes: Buffer.from('%PDF-1.7') }) }],
}

const EVIDENCE_OF: Readonly<Record<'accept' | 'contest', JsonObject>> = { accept: {}, contest: EVIDENCE }

/** Answers to disputes that are lost by a fault, and the state that is found afterwards. */
const LOST_ANSWERS = [
  { verb: 'accept', fault: 'lost_before', stage: 'needs_response', given: null },
  { verb: 'accept', fault: 'lost_after', stage: 'lost', given: 'accept' },
  { verb: 'contest', fault: 'lost_before', stage: 'needs_response', given: null },
  { verb: 'contest', fault: 'lost_after', stage: 'under_review', given: 'contest' },
] as const

/** More than the tests of this half dispute. */
const SETTLED = 12

/** Tests that every dispute is reported, and answered at most once. */
export function disputing(opened: () => ContractCase): void {
  describe('disputes', () => disputesOf(opened))
}

function disputesOf(opened: () => ContractCase): void {
  const settled: { readonly id: string; readonly there: string }[] = []

  // All payments settle at once, because the clocks of both sides need long for three days.
  before(async () => {
    const on = opened()
    for (let count = 0; count < SETTLED; count++) settled.push(await on.take())
    await on.settle()
  })

  const settledPayment = () => {
    const payment = settled.pop()
    if (!payment) throw new Error('More payments must be settled')
    return payment
  }
  /** Lets the payer of a settled payment dispute it. Returns the payment and the dispute. */
  const disputed = async () => {
    const on = opened()
    const { id, there } = settledPayment()
    const { posted } = await on.wire.takeBack(there)
    await on.post(posted)
    await on.reconcile()
    const [dispute = {}] = await on.disputes(id)
    return { on, id, there, dispute }
  }
  const answer = async (on: ContractCase, dispute: JsonObject, verb: string, body: JsonObject = {}) =>
    await on.send('POST', `/disputes/${idOf(dispute)}/${verb}`, body)

  it('reports a dispute with its stage, its reason and its deadline for evidence', async () => {
    const { on, id, dispute } = await disputed()
    expect(dispute).to.include({ transaction_id: id, answer: null, pending_operation: null })
    expect(dispute.chargeback_id).to.match(/^txn_/)
    expect(dispute.stage).to.be.oneOf(['needs_response', 'lost'])
    if (!on.gateway.disputes) return
    expect(dispute).to.include({ stage: 'needs_response', reason: 'fraudulent' })
    expect(dispute.due_by).to.match(/^20\d\d-/)
  })

  it('refuses an answer if the rail accepts no answers through payctl', async () => {
    const { on, dispute } = await disputed()
    if (on.gateway.disputes) return
    const { status, body } = await answer(on, dispute, 'accept')
    expect([status, Object.keys(body.details ?? {})]).to.be.deep.oneOf([
      [400, ['gateway']],
      [400, ['stage']],
    ])
    on.expectSent()
  })

  it('submits evidence once, and never after a dispute was accepted', async () => {
    const { on, id, dispute } = await disputed()
    if (!on.gateway.disputes) return
    const { status, body } = await answer(on, dispute, 'contest', EVIDENCE)
    expect([status, body.stage, body.answer], JSON.stringify(body)).to.deep.equal([
      200,
      'under_review',
      'contest',
    ])
    on.expectSent({ type: 'contest' })
    for (const verb of ['contest', 'accept'])
      expect((await answer(on, dispute, verb, verb === 'contest' ? EVIDENCE : {})).status).to.equal(400)
    on.expectSent()
    expect((await on.disputes(id))[0]?.evidence).to.deep.equal(['text', 'slip.pdf'])

    const other = await disputed()
    expect((await answer(on, other.dispute, 'accept')).body).to.include({ stage: 'lost', answer: 'accept' })
    on.expectSent({ type: 'accept' })
    expect((await answer(on, other.dispute, 'contest', EVIDENCE)).status).to.equal(400)
    on.expectSent()
    // The money was booked as lost already when the bank took it.
    expect(await on.read(other.id)).to.include({ status: 'rejected' })
  })

  for (const { verb, fault, stage, given } of LOST_ANSWERS)
    it(`finds out after the fault ${fault} whether a dispute was answered (${verb}), before it may be answered again`, async () => {
      const { on, id, dispute } = await disputed()
      if (!on.gateway.disputes) return
      on.fault(fault)
      const first = await answer(on, dispute, verb, EVIDENCE_OF[verb])
      expect([first.status, first.body.stage]).to.deep.equal([200, 'needs_response'])
      expect(first.body.pending_operation).to.match(new RegExp(`^${verb}:`))
      expect((await answer(on, dispute, verb, EVIDENCE_OF[verb])).status).to.equal(400)
      on.expectSent({ type: verb })
      on.later()
      await on.core.ok('POST', '/admin/clock', { by: '1h' })
      await on.runDueJobs()
      on.expectSent()
      const [decided = {}] = await on.disputes(id)
      expect(decided).to.include({ pending_operation: null, stage, answer: given })
      // A dispute that was not answered can still be answered.
      expect((await answer(on, dispute, 'accept')).status).to.equal(given === null ? 200 : 400)
      on.countSent()
    })

  for (const verb of ['accept', 'contest'] as const)
    it(`finds out what became of an answer (${verb}), even if the rail reports the end of the dispute first`, async () => {
      const { on, id, there, dispute } = await disputed()
      if (!on.gateway.disputes || !on.wire.lose) return
      on.fault('lost_before')
      const { body } = await answer(on, dispute, verb, EVIDENCE_OF[verb])
      expect(body.pending_operation).to.match(new RegExp(`^${verb}:`))
      await on.post(await on.wire.lose(there))
      await on.reconcile()
      expect((await on.disputes(id))[0]).to.include({ stage: 'lost' })
      on.later()
      await on.core.ok('POST', '/admin/clock', { by: '1h' })
      await on.runDueJobs()
      const [decided = {}] = await on.disputes(id)
      expect(decided).to.include({ stage: 'lost', pending_operation: null })
      if (verb === 'contest') expect(decided).to.include({ answer: null, evidence: null })
      on.countSent()
    })

  it('moves no money for an inquiry, whose payment stays refundable, and books the chargeback that follows', async () => {
    const on = opened()
    if (!on.wire.inquire) return
    const { id, there } = settledPayment()
    await on.post(await on.wire.inquire(there))
    await on.reconcile()
    const [inquiry = {}] = await on.disputes(id)
    expect(inquiry).to.include({ stage: 'inquiry', chargeback_id: null })
    expect(await on.read(id)).to.include({ status: 'processed' })
    expect((await on.refund(id, 10)).body).to.include({ status: 'processed' })
    on.countSent()
    expect((await answer(on, inquiry, 'contest', EVIDENCE)).body).to.include({
      stage: 'inquiry',
      answer: 'contest',
    })
    on.expectSent({ type: 'contest' })
  })
}
