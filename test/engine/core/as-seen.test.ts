import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

onDatabases((open) => {
  describe('a write that names the version its client has seen', () => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    async function payment(): Promise<string> {
      const payment_method = card('4242 4242 4242 4242')
      const body = { type: 'payment', amount: 100, processing_id: processing, payment_method }
      return idOf(await core.ok('POST', '/transactions', body))
    }

    const refund = (id: string, amount: number): JsonObject => ({
      type: 'refund',
      amount,
      ledger: [{ assoc_transaction_id: id }],
    })

    async function versionOf(id: string): Promise<string> {
      const seen = { path: `/transactions/${id}` }
      const { status, version } = await core.send('POST', '/transactions', refund(id, 1), {
        dryRun: true,
        seen,
      })
      expect(status).to.equal(200)
      return version ?? ''
    }

    it('succeeds once per version, even if several requests send the same version at once', async () => {
      const id = await payment()
      const seen = { path: `/transactions/${id}`, version: await versionOf(id) }
      const answers = await Promise.all(
        ['ada', 'bob', 'eve'].map((idempotencyKey) =>
          core.send('POST', '/transactions', refund(id, 50), { seen, idempotencyKey }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409])
      const refused = answers.filter(({ status }) => status === 409)
      for (const { body } of refused)
        expect(body).to.deep.include({ error_type: 'Conflict', details: { version: 'Has changed' } })
      const { refundable } = await core.ok('GET', '/admin/explain', undefined, {
        query: `transaction_id=${id}`,
      })
      expect(refundable).to.equal(50)
    })

    it('gets its first answer again if it is repeated, although it changed the object', async () => {
      const id = await payment()
      const seen = { path: `/transactions/${id}`, version: await versionOf(id) }
      const options = { seen, idempotencyKey: 'double click' }
      const first = await core.ok('POST', '/transactions', refund(id, 50), options)
      const again = await core.send('POST', '/transactions', refund(id, 50), options)
      expect(again.body).to.deep.equal(first)
      expect(again.headers['Idempotent-Replay']).to.equal('true')
    })

    it('is accepted with the same version until the object changes', async () => {
      const id = await payment()
      const version = await versionOf(id)
      expect(await versionOf(id)).to.equal(version)
      await core.ok('PUT', `/transactions/${id}`, { description: 'Changed' })
      expect(await versionOf(id)).not.to.equal(version)
    })

    it('is refused if the object does not exist', async () => {
      const id = await payment()
      const seen = { path: '/transactions/txn_0000000000000000000' }
      const { status } = await core.send('POST', '/transactions', refund(id, 1), { seen })
      expect(status).to.equal(409)
    })
  })
})
