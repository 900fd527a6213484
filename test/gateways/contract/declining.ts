import { expect } from 'chai'
import { objectOf } from '../../support/core.js'
import type { ContractCase } from './contract-case.js'

/** Tests for every rail, including those that can only decline. */
export function declining(opened: () => ContractCase): void {
  it('declines payments and authorizations with the right status code, and takes no money', async () => {
    const on = opened()
    for (const { statusCode, method } of on.declines)
      for (const status of ['processed', 'authorized']) {
        const { status: answer, body } = await on.pay({ payment_method: method, status })
        expect(answer, `${statusCode}: ${JSON.stringify(body)}`).to.equal(400)
        expect(body).to.include({ error_type: 'TransactionDeclined' })
        const declined = objectOf(body.details)
        expect(declined).to.include({ status: 'declined', status_code: statusCode })
        on.expectSent({
          type: status === 'processed' ? 'sale' : 'authorize',
          amount: 3058,
          reference: String(declined.id),
        })
      }
  })

  it('repeats the declined answer for the same idempotency key, and sends one request', async () => {
    const on = opened()
    const payment_method = on.declines[0]?.method ?? {}
    const first = await on.pay({ payment_method }, 'declined once')
    expect((await on.pay({ payment_method }, 'declined once')).body).to.deep.equal(first.body)
    on.expectSent({ type: 'sale', amount: 3058 })
  })
}
