import { randomInt } from 'node:crypto'
import { expect } from 'chai'
import { fuzz } from '../../simulation/fuzz/fuzz.js'
import { onDatabases } from '../support/databases.js'

const REQUESTS = { sqlite: 4_000, postgres: 1_000 }
const MEGABYTE = 2 ** 20

describe('any request that the OpenAPI document allows or almost allows', () => {
  onDatabases((open) => {
    it('gets a documented answer, leaves correct books, and leaks no memory', async () => {
      const place = await open.migrated()
      const seed = randomInt(2 ** 31)
      const requests = REQUESTS[place.dialect]
      const { findings, statuses, growth } = await fuzz({ place, seed, requests })
      const replay = `npm run long -- fuzz --seed ${seed} --requests ${requests} --database ${place.dialect}`
      expect(findings, replay).to.deep.equal([])
      expect(statuses.get(200) ?? 0, 'requests that were done').to.be.above(requests / 10)
      // Leaves room for statements and schemas that are compiled at their first use; other growth is a leak.
      expect(growth.heap, replay).to.be.below(48 * MEGABYTE)
      expect(growth.resident, replay).to.be.below(256 * MEGABYTE)
    })
  })
})
