import { expect } from 'chai'
import pg from 'pg'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { openCore } from '../../support/core.js'
import { onPostgres } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

describe('an answer that waits for its outcome', () => {
  onPostgres((open) => {
    it('is completed once, by the first of several services', async () => {
      const gateway = remoteSimulator()
      const core = await openCore(open, { gateway })
      const payment = { type: 'payment', amount: 10, payment_method: card() }
      const body = { ...payment, processing_id: await makeProcessing(core) }
      gateway.script('times_out_after')
      const first = await core.ok('POST', '/transactions', body, { idempotencyKey: 'one' })
      expect(first).to.include({ status: 'processing' })
      const other = new pg.Client({ connectionString: core.place.databaseUrl })
      await other.connect()
      try {
        await other.query('set search_path to payctl_test; begin')
        await other.query('select from idempotency_records where status is null for update')
        const completing = core.environment.reconcile(0)
        await somebodyWaits(other)
        // The other service completes the answer with its own view, which differs from the first view.
        await other.query(
          'update idempotency_records set status = 200, answer = $1, continuation = null where status is null',
          [JSON.stringify(first)],
        )
        await other.query('commit')
        await completing
      } finally {
        await other.end()
      }
      const again = await core.send('POST', '/transactions', body, { idempotencyKey: 'one' })
      expect(again.body).to.deep.equal(first)
    })
  })
})

/** Returns when a connection waits for a lock that another connection holds. */
async function somebodyWaits(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount) return
  }
}
