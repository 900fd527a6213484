import { expect } from 'chai'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { idOf, objectOf, openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { makeCustomer, makeProcessing, pay } from '../../support/examples.js'
import { narrowed } from './merchants.js'

onDatabases((open) => {
  describe('an answer completed after the outcome is known', () => {
    it('shows only what its key may see', async () => {
      const gateway = remoteSimulator()
      const core = await openCore(open, { gateway })
      const own = await makeProcessing(core)
      const stranger = await makeCustomer(core, await makeProcessing(core), 'Zoe Hart')
      const payment = idOf(await pay(core, own, 10, { customer_id: stranger }))
      const refund = { type: 'refund', amount: 4, ledger: [{ assoc_transaction_id: payment }] }
      const ask = async () =>
        await core.send('POST', '/transactions', refund, {
          principal: narrowed(own),
          idempotencyKey: 'once',
          query: 'fields=id,status,customer_id,customer,processing[id]',
        })
      gateway.script('times_out_after')
      const first = await ask()
      expect(first.body).to.include({ status: 'processing', customer_id: stranger, customer: null })
      await core.environment.reconcile(0)
      const { headers, body } = await ask()
      expect(headers).to.deep.equal({ 'Idempotent-Replay': 'true' })
      expect(objectOf(body.processing)).to.deep.equal({ id: own })
      expect(body).to.include({ id: first.body.id, status: 'processed', customer: null })
    })
  })
})
