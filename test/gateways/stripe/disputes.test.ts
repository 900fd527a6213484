import { expect } from 'chai'
import type { DisputeAnswer } from '../../../src/gateways/contract.js'
import { rejection } from '../../support/rejection.js'
import { StripeCase } from './stripe-case.js'

const pdf = { name: 'receipt.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7 \xff\0') }

describe('a dispute at Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  const disputed = async (more: object = {}) => {
    const { gatewayId } = await stripe.taken()
    return stripe.server.books.dispute(gatewayId, more)
  }
  const answer = async (given: Omit<DisputeAnswer, 'reference'>) => {
    const { disputes } = stripe.rail
    if (!disputes) throw new Error('The rail answers no disputes')
    return await disputes.answer({ reference: 'op_1', ...given }, stripe.credentials)
  }

  it('is contested once, with a text and unchanged files', async () => {
    const dispute = await disputed()
    const files = [{ ...pdf, as: 'receipt' }, pdf]
    const given = { answer: 'contest', dispute: dispute.id, text: 'It was delivered', files } as const
    expect(await answer(given)).to.deep.include({ result: 'answered' })
    const { evidence } = dispute
    expect(evidence).to.have.keys('receipt', 'uncategorized_file', 'uncategorized_text')
    const kept = stripe.server.books.files.get(evidence['receipt'] ?? '')
    expect([kept?.name, kept?.content.equals(pdf.content)]).to.deep.equal(['receipt.pdf', true])
    // The same answer again has the same result. Another answer is refused.
    expect(await answer(given)).to.deep.include({ result: 'answered' })
    expect(stripe.server.books.files).to.have.property('size', 2)
    const again = await stripe.rail.disputes?.answer({ ...given, reference: 'op_2' }, stripe.credentials)
    expect(again).to.include({ result: 'refused', problem: 'This dispute takes no evidence any more.' })
  })

  it('is lost when it is accepted', async () => {
    const dispute = await disputed()
    const accepted = await answer({ answer: 'accept', dispute: dispute.id, files: [] })
    expect(accepted).to.deep.nested.include({ result: 'answered', 'state.stage': 'lost' })
    expect(dispute.status).to.equal('lost')
  })

  it('takes no money when an inquiry is accepted', async () => {
    const inquiry = await disputed({ status: 'warning_needs_response', balance_transactions: [] })
    const accepted = await answer({ answer: 'accept', dispute: inquiry.id, files: [] })
    expect(accepted).to.deep.nested.include({ result: 'answered', 'state.stage': 'lost' })
    const notices = await stripe.rail.disputes?.read({ dispute: inquiry.id }, stripe.credentials)
    expect(notices?.map(({ kind }) => kind)).to.deep.equal(['dispute'])
  })

  it('has an unknown outcome if the answer to its evidence is lost, and was not answered if an upload fails', async () => {
    const dispute = await disputed()
    const given = { answer: 'contest', dispute: dispute.id, files: [pdf] } as const
    stripe.server.trouble('POST /v1/files', 'lost_after')
    expect(await answer(given)).to.include({ result: 'not_sent' })
    expect(dispute.status).to.equal('needs_response')
    stripe.server.trouble(`POST /v1/disputes/${dispute.id}`, 'lost_after')
    await rejection(answer(given))
    const [, state] = (await stripe.rail.disputes?.read({ dispute: dispute.id }, stripe.credentials)) ?? []
    expect(state).to.include({ kind: 'dispute', stage: 'under_review', isAnswered: true })
  })

  it('is not answered if Stripe refuses the request because there are too many', async () => {
    const dispute = await disputed()
    stripe.server.trouble(`POST /v1/disputes/${dispute.id}/close`, 'too_many')
    const accepted = await answer({ answer: 'accept', dispute: dispute.id, files: [] })
    expect(accepted).to.include({ result: 'not_sent' })
    expect(dispute.status).to.equal('needs_response')
  })
})
