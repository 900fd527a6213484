import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { listOf, objectOf, openCore, type TestCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card } from '../../support/examples.js'

onDatabases((open) => {
  describe('records of finished rows', () => {
    let core: TestCore
    before(async () => {
      core = await openCore(open)
      await core.ok('POST', '/admin/batches', { id: 'people', as: 'customer', content: 'one', rows: 3 })
    })

    const run = async (bodies: readonly JsonObject[]): Promise<JsonObject[]> => {
      const rows = bodies.map((body, index) => ({ row: index + 2, body }))
      const asked = { id: 'people', as: 'customer', rows }
      return listOf((await core.ok('POST', '/admin/batches/rows', asked)).rows).map(objectOf)
    }

    it('survive if another row of the same commit is refused after its writes', async () => {
      const expired = { type: 'card', card: { card_number: '4242424242424242', expiry: '01/20' } }
      const bodies: JsonObject[] = [
        { name: 'Ada' },
        { name: 'Ben', payment_methods: [card(), expired] },
        { name: 'Cleo' },
      ]
      const first = await run(bodies)
      expect(first.map(({ status }) => status)).to.deep.equal(['done', 'failed', 'done'])
      expect(await run(bodies)).to.deep.equal(first.map((row) => ({ ...row, before: true })))
    })
  })
})
