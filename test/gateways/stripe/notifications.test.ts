import { expect } from 'chai'
import { NOW, StripeCase } from './stripe-case.js'
import { SECRET_KEY } from './stripe-server.js'

describe('a notification of Stripe', () => {
  const stripe = new StripeCase()
  beforeEach(() => stripe.open())
  afterEach(() => stripe.close())

  const receive = (headers: Record<string, string>, body: Buffer, secrets = stripe.credentials.secrets) =>
    stripe.rail.receive?.(headers, body, { ...stripe.credentials, secrets }) ?? []
  const noticesOf = async (type: string, object: object) => {
    const { headers, body } = stripe.server.notification(type, object)
    const [notification] = receive(headers, body)
    if (!notification) throw new Error('There is no notification')
    return { notification, notices: (await stripe.rail.read?.(notification, stripe.credentials)) ?? [] }
  }

  it('only names the object to read, and its contents are not trusted', async () => {
    const { parent, gatewayId } = await stripe.taken()
    const forged = { id: gatewayId, object: 'payment_intent', status: 'canceled', amount: 1 }
    const { notification, notices } = await noticesOf('payment_intent.canceled', forged)
    expect(notification).to.include({ about: 'operation', gatewayId, type: 'payment_intent.canceled' })
    expect(notices).to.have.lengthOf(1)
    expect(notices[0]).to.include({
      kind: 'operation',
      reference: parent.reference,
      type: 'sale',
      amount: 2999,
    })
    const charge = { id: 'ch_1', object: 'charge', payment_intent: gatewayId }
    expect((await noticesOf('charge.succeeded', charge)).notification).to.include({ gatewayId })
    stripe.server.payouts.push({ id: 'po_1', object: 'payout', created: 1, status: 'paid' })
    expect((await noticesOf('payout.paid', { id: 'po_1', object: 'payout' })).notification.about).to.equal(
      'settlement',
    )
    expect((await noticesOf('customer.created', { id: 'cus_1' })).notices).to.deep.equal([])
  })

  it('is stored without the secret with which a page may confirm the payment', async () => {
    const intent = { id: 'pi_1', object: 'payment_intent', client_secret: 'pi_1_secret_x' }
    const said = { id: 'ch_1', object: 'charge', payment_intent: intent, nested: [intent] }
    const { headers, body } = stripe.server.notification('charge.succeeded', said)
    expect(receive(headers, body)[0]?.raw).to.include('pi_1').and.not.include('secret')
  })

  it('reports a refund that failed later', async () => {
    const { parent } = await stripe.taken()
    await stripe.perform(stripe.changing('refund', parent, 1000))
    const [refund] = stripe.server.books.refunds
    if (!refund) throw new Error('There is no refund')
    Object.assign(refund, { status: 'failed', failure_reason: 'lost_or_stolen_card' })
    const { notices } = await noticesOf('refund.failed', refund)
    expect(notices[0]).to.deep.include({ kind: 'operation', type: 'refund', amount: 1000 })
    expect(notices[0]).to.have.nested.property('outcome.code', 'lost_or_stolen_card')
  })

  it('reports disputes in any order, and a chargeback only if money moved', async () => {
    const { parent, gatewayId } = await stripe.taken()
    const payment = { payment: parent.reference, hasReference: true }
    const taking = { amount: 2999, ...payment, statusCode: 'chargeback' }
    const dispute = stripe.server.books.dispute(gatewayId)
    const lost = { kind: 'chargeback', dispute: dispute.id, ...taking }
    const state = {
      kind: 'dispute',
      dispute: dispute.id,
      payment: parent.reference,
      amount: 2999,
      stage: 'needs_response',
      reason: 'fraudulent',
      fee: 1500,
      dueBy: '2026-12-01 12:00:00',
      isAnswered: false,
    }
    expect((await noticesOf('charge.dispute.created', dispute)).notices).to.deep.equal([lost, state])
    dispute.status = 'won'
    expect((await noticesOf('charge.dispute.closed', dispute)).notices).to.deep.equal([
      lost,
      { ...lost, kind: 'dispute_won' },
      { ...state, stage: 'won' },
    ])
    for (const [status, stage] of [
      ['warning_needs_response', 'inquiry'],
      ['warning_closed', 'won'],
    ] as const) {
      dispute.status = status
      const { notices } = await noticesOf('charge.dispute.updated', dispute)
      expect(notices).to.deep.equal([{ ...state, stage }])
    }
    const returned = stripe.server.books.dispute(gatewayId, { network_reason_code: 'R10' })
    expect((await noticesOf('charge.dispute.created', returned)).notices).to.deep.equal([
      { kind: 'return', dispute: returned.id, ...taking, statusCode: 'R10' },
      { ...state, dispute: returned.id, stage: 'lost', reason: 'R10' },
    ])
  })

  it('is refused if it is forged, changed, old or unsigned, or if no secret is configured', () => {
    const { headers, body } = stripe.server.notification('payout.paid', { id: 'po_1' })
    const old = stripe.server.notification('payout.paid', { id: 'po_1' }, { at: NOW - 301_000 })
    const changed = Buffer.from(body.toString().replace('po_1', 'po_2'))
    const wrong = { notification_secret: 'whsec_other' }
    for (const refused of [
      () => receive(headers, changed),
      () => receive(headers, body, wrong),
      () => receive(headers, body, { secret_key: SECRET_KEY }),
      () => receive({}, body),
      () => receive(old.headers, old.body),
    ])
      expect(refused).to.throw().with.property('name', 'BadSignature')
    expect(receive(headers, body)).to.have.lengthOf(1)
  })
})
