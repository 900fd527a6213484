import { expect } from 'chai'
import type { Json } from '../../../src/schema/json.js'
import { listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

onDatabases((open) => {
  describe('rows of a batch that are lists', () => {
    let core: TestCore
    let processing: string
    before(async () => {
      core = await openCore(open)
      processing = await makeProcessing(core)
    })

    it('are refused, because their items could have other types and outcomes', async () => {
      await core.ok('POST', '/admin/batches', { id: 'lists', as: 'payment', content: 'one', rows: 3 })
      const credit = { type: 'credit', amount: 5, processing_id: processing, payment_method: card() }
      const bodies: Json[] = [{ object: 'list', values: [credit] }, { 0: credit }, [credit]]
      const rows = bodies.map((body, index) => ({ row: index + 1, body }))
      const ran = await core.ok('POST', '/admin/batches/rows', { id: 'lists', as: 'payment', rows })
      expect(
        listOf(ran.rows)
          .map(objectOf)
          .map(({ status, error }) => [status, error]),
      ).to.deep.equal([
        ['failed', 'row: Must be one object, not a list'],
        ['failed', 'row: Must be one object, not a list'],
        ['failed', 'row: Must be an object'],
      ])
    })
  })
})
