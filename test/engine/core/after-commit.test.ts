import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases, onSqlite } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

describe('the work after the commit of a payment', () => {
  onSqlite((open) => {
    it('may fail with the database: the answer reports the commit, and nobody is charged twice', async () => {
      const remote = remoteSimulator()
      const files: string[] = []
      const gateway = {
        ...remote,
        perform: async (...request: Parameters<typeof remote.perform>) => {
          const outcome = await remote.perform(...request)
          for (const file of files) renameSync(file, `${file}.away`)
          return outcome
        },
      }
      const reported: unknown[] = []
      const core = await openCore(open, { gateway, report: (error) => reported.push(error) })
      const payment = { type: 'payment', amount: 10, payment_method: card() }
      const body = { ...payment, processing_id: await makeProcessing(core) }
      const file = join(core.place.home, 'test.db')
      files.push(file)
      const first = await core.send('POST', '/transactions', body, { idempotencyKey: 'one' })
      expect(first.status).to.equal(200)
      expect(first.body).to.include({ status: 'processing' })
      expect(reported.map((error) => error instanceof Error && String(error.cause)).join()).to.include(
        'test.db',
      )
      files.splice(0)
      renameSync(`${file}.away`, file)
      await core.environment.reconcile(0)
      const again = await core.send('POST', '/transactions', body, { idempotencyKey: 'one' })
      expect(again.body).to.include({ id: first.body.id, status: 'processed' })
      expect(remote.performed).to.have.length(1)
    })
  })

  onDatabases('locks', (open) => {
    it('completes the answer even if an object in the answer was deleted after the commit', async () => {
      const gateway = remoteSimulator()
      const core = await openCore(open, { gateway })
      const processing_id = await makeProcessing(core)
      const customer = await core.ok('POST', '/customers', { name: 'Ann', email: 'ann@example.com' })
      const invoice = await core.ok('POST', '/invoices', {
        processing_id,
        customer_id: idOf(customer),
        type: 'bill',
        due_date: '2030-01-01',
        items: [{ entry_type: 'charge', description: 'beans', amount: 10 }],
      })
      const payment = { type: 'payment', amount: 10, payment_method: card(), processing_id }
      const item = { entry_type: 'payment', amount: 10, payment, invoice_id: idOf(invoice) }
      gateway.script('times_out_after', 'times_out_after')
      const deleted = await core.ok('POST', '/line_items', item, { idempotencyKey: 'one' })
      const other = await core.ok('POST', '/transactions', payment, { idempotencyKey: 'two' })
      expect(other).to.include({ status: 'processing' })
      await core.ok('DELETE', `/line_items/${idOf(deleted)}`)
      await core.environment.reconcile(0)
      const again = await core.ok('POST', '/transactions', payment, { idempotencyKey: 'two' })
      expect(again).to.include({ id: other.id, status: 'processed' })
      expect(await core.ok('POST', '/line_items', item, { idempotencyKey: 'one' })).to.include({
        id: deleted.id,
      })
    })
  })
})
