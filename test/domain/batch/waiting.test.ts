import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import type { JsonObject } from '../../../src/schema/json.js'
import { countOf, idOf, listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'

onDatabases((open) => {
  describe('rows with a gateway outcome that is unknown', () => {
    let core: TestCore
    let gateway: RemoteSimulator
    let processing: string
    beforeEach(async () => {
      gateway = remoteSimulator()
      core = await openCore(open, { gateway })
      processing = await makeProcessing(core)
    })

    const run = async (as: string, body: JsonObject, more: JsonObject = {}): Promise<JsonObject> => {
      const asked = { id: as, as, rows: [{ row: 2, body }], ...more }
      const { rows } = await core.ok('POST', '/admin/batches/rows', asked)
      return objectOf(listOf(rows)[0])
    }
    const begin = (as: string) => core.ok('POST', '/admin/batches', { id: as, as, content: 'one', rows: 1 })
    const finish = () => core.send('PUT', '/admin/batches', { id: 'payment' })

    for (const [behaviour, status] of [
      ['times_out_after', 'done'],
      ['fails_before', 'declined'],
    ] as const)
      it(`wait, are not sent again when the gateway ${behaviour}, and then are ${status}`, async () => {
        await begin('payment')
        const body = { amount: 10, processing_id: processing, payment_method: card() }
        gateway.script(behaviour)
        const first = await run('payment', body)
        expect(first).to.include({ status: 'waiting' })
        expect(await run('payment', body, { last: true })).to.deep.equal(first)
        expect((await finish()).status).to.equal(400)
        await core.environment.reconcile(-1)
        expect(await run('payment', body)).to.include({ status, id: first.id ?? null })
        expect(await run('payment', body)).to.include({ status, before: true })
        expect((await finish()).status).to.equal(200)
        expect(await countOf(core, '/transactions')).to.equal(1)
        expect(gateway.performed).to.have.length(behaviour === 'fails_before' ? 0 : 1)
      })

    it('become declined if their payment was declined and then deleted', async () => {
      await begin('payment')
      const body = { amount: 10, processing_id: processing, payment_method: card('4111111111119904') }
      gateway.script('times_out_after')
      const { id } = await run('payment', body)
      await core.environment.reconcile(-1)
      await core.ok('DELETE', `/transactions/${id}`)
      expect(await run('payment', body)).to.include({ status: 'declined', id: id ?? null })
      expect((await finish()).status).to.equal(200)
    })

    it('wait while another operation blocks the payment, until their last attempt', async () => {
      await begin('refund')
      const payment = idOf(await pay(core, processing, 10))
      const ledger = [{ assoc_transaction_id: payment }]
      gateway.script('times_out_after')
      await core.send('POST', '/transactions', { type: 'refund', amount: 1, ledger })
      const body = { payment, amount: 2 }
      expect(await run('refund', body)).to.include({ status: 'waiting', id: null })
      await core.environment.reconcile(-1)
      expect(await run('refund', body)).to.include({ status: 'done' })
      gateway.script('times_out_after')
      await core.send('POST', '/transactions', { type: 'refund', amount: 1, ledger })
      const failed = await run('refund', { payment, amount: 3 }, { last: true })
      expect(failed).to.include({ status: 'failed' })
    })

    it('become done when the void of their payment is confirmed', async () => {
      await begin('void')
      const payment = idOf(await pay(core, processing, 10, { status: 'authorized' }))
      gateway.script('times_out_after')
      expect(await run('void', { payment })).to.include({ status: 'waiting', id: payment })
      await core.environment.reconcile(-1)
      expect(await run('void', { payment })).to.include({ status: 'done', id: payment })
    })

    for (const [behaviour, status] of [
      ['times_out_after', 'done'],
      ['fails_before', 'failed'],
    ] as const)
      it(`are ${status} after the outcome of a capture or void by update, if the gateway ${behaviour}`, async () => {
        const as = 'update_transaction'
        await begin(as)
        for (const wanted of ['processed', 'voided']) {
          const id = idOf(await pay(core, processing, 10, { status: 'authorized' }))
          gateway.script(behaviour)
          expect(await run(as, { id, status: wanted })).to.include({ status: 'waiting', id })
          await core.environment.reconcile(-1)
          expect(await run(as, { id, status: wanted }), wanted).to.include({ status, id })
        }
      })
  })
})
