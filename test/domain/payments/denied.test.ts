import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { Business } from '../../support/business.js'
import { idOf, list } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'

describe('a payment denied in review whose void failed', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let held: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      business = await Business.open(open, { gateway })
      const processing_id = await business.account({ risk_check_enabled: true })
      const method = card('4000056655665556')
      const one = { type: 'payment', amount: 10, processing_id, payment_method: method }
      await business.core.ok('POST', '/transactions', list(Array.from({ length: 10 }, () => one)))
      const payment = await business.core.ok('POST', '/transactions', {
        ...one,
        payment_method: { ...method, billing_address: { postal_code: '10001' } },
        shipping_details: { postal_code: '94105' },
      })
      expect(payment).to.include({ status: 'authorized', risk_flag: 'in_review' })
      held = idOf(payment)
      gateway.script({ result: 'not_sent', problem: 'refused' })
      expect((await review('deny')).status).to.equal(503)
      expect(await business.read(held)).to.include({ status: 'authorized', risk_flag: 'denied' })
    })
    const review = (decision: string) =>
      business.core.send('POST', `/transactions/${held}/review`, { decision })

    it('cannot be captured', async () => {
      const captured = await business.core.send('PUT', `/transactions/${held}`, { status: 'processed' })
      expect(captured.status).to.equal(400)
      expect(captured.body.details).to.deep.equal({
        status: 'Cannot change from authorized to processed: it was denied',
      })
      expect(await business.read(held)).to.include({ status: 'authorized' })
    })

    it('can be denied again, which voids it', async () => {
      gateway.script({ result: 'not_sent', problem: 'refused' })
      expect((await review('deny')).status).to.equal(503)
      expect((await review('deny')).body).to.include({ status: 'voided', risk_flag: 'denied' })
      expect((await review('deny')).status).to.equal(400)
    })

    it('can still be allowed', async () => {
      expect((await review('allow')).body).to.include({ status: 'processed', risk_flag: 'allowed' })
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })
})
