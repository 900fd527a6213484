import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf } from '../../support/core.js'
import { card } from '../../support/examples.js'
import { beginning, FEES_OF_PAYER, onEachGateway, type Recorded } from './recorded.js'

onEachGateway('a payment that is held for review', (recorded) => {
  const numbers = ['5555555555554444', '5200828282828210', '2223003122003222', '4012888888881881']
  let on: Recorded
  let number: string
  beforeEach(() => {
    on = recorded()
    number = numbers.pop() ?? ''
  })

  /**
   * Pays `many` times with one card within an hour, then once more for goods sent to another address. Returns the last
   * payment.
   */
  async function payAfter(many: number, more: JsonObject = {}) {
    const watched = await on.business.account({ ...FEES_OF_PAYER, risk_check_enabled: true })
    const earlier: string[] = []
    while (earlier.length < many) earlier.push(await on.take(10, { payment_method: card(number) }, watched))
    on.expectRequests(...earlier.map((id) => beginning('sale', id, 1030, number)))
    const { body } = await on.core.send('POST', '/transactions', {
      type: 'payment',
      amount: 29.99,
      processing_id: watched,
      payment_method: { ...card(number), billing_address: { postal_code: '10001' } },
      shipping_details: { postal_code: '94105' },
      ...more,
    })
    return body
  }

  async function hold(more: JsonObject = {}): Promise<string> {
    const held = await payAfter(10, more)
    expect(held).to.include({ status: 'authorized', risk_flag: 'in_review' })
    on.expectRequests(beginning('authorize', idOf(held), 3058, number))
    return idOf(held)
  }

  const review = (payment: string, decision: string) =>
    on.core.ok('POST', `/transactions/${payment}/review`, { decision })

  it('is an authorization instead of a sale, followed by a capture when the payment is allowed', async () => {
    const payment = await hold()
    expect((await on.become(payment, 'processed')).status).to.equal(400)
    on.expectRequests()
    expect(await review(payment, 'allow')).to.include({ status: 'processed' })
    on.expectFollowing('capture', payment, 3058)
  })

  it('is an authorization instead of a sale, followed by a void when the payment is denied', async () => {
    const payment = await hold()
    expect(await review(payment, 'deny')).to.include({ status: 'voided' })
    on.expectFollowing('void', payment, 3058)
  })

  it('is only an authorization if no capture was requested', async () => {
    const payment = await hold({ status: 'authorized' })
    expect(await review(payment, 'allow')).to.include({ status: 'authorized', risk_flag: 'allowed' })
  })

  it('is not sent if the risk is too high', async () => {
    expect(await payAfter(20)).to.include({ error_type: 'TransactionDeclined' })
  })
})
