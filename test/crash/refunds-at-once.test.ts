import { expect } from 'chai'
import { audit } from '../support/audit/audit.js'
import { readKept } from '../support/audit/kept.js'
import { idOf } from '../support/core.js'
import { onDatabases } from '../support/databases.js'
import { card, processingAccount } from '../support/examples.js'
import { type HttpService, httpService } from '../support/http.js'

describe('two hundred refunds of one payment at the same time, over HTTP', () => {
  onDatabases('locks', (open) => {
    let service: HttpService
    let key: string
    before(async () => {
      service = await httpService(await open.place())
      open.atEnd(() => service.stop())
      key = await service.key()
    })
    const post = (path: string, body: object) => service.ask(key, 'POST', path, { ...body })

    it('succeed exactly up to the balance, for any amounts, and the books agree', async () => {
      const processing_id = idOf((await post('/processing_accounts', processingAccount())).body)
      const taken = { type: 'payment', amount: 100, processing_id, payment_method: card() }
      const payment = idOf((await post('/transactions', taken)).body)
      const ledger = [{ assoc_transaction_id: payment }]
      const refund = (amount: number) => post('/transactions', { type: 'refund', amount, ledger })
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => refund(n % 2 ? 1 + (n % 7) : 1)),
      )

      const given = answers.filter(({ status }) => status === 200)
      const refunded = given.reduce((sum, { body }) => sum + Number(body.amount), 0)
      const refused = answers.filter(({ status }) => status !== 200)
      const left = 100 - refunded
      for (const { status, body } of refused) {
        expect(status).to.equal(400)
        expect(body.error_type).to.equal('InvalidAttributes')
      }
      expect(refunded).to.be.at.most(100)
      expect((await refund(left + 1)).body.details).to.deep.equal({
        amount: `Exceeds refundable balance of ${left}.00`,
      })
      // A hundred of the refunds were for 1.00, so they would have used up any balance left.
      expect(left).to.equal(0)

      const { core } = await service.app.environment('test')
      const kept = await core.write(({ tx }) => readKept(tx))
      expect(kept.transactions).to.have.length(1 + given.length)
      expect(audit(kept)).to.deep.equal([])
    })
  })
})
