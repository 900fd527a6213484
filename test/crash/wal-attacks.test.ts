import { expect } from 'chai'
import { seededChance } from '../support/chance.js'
import { idOf, openCore } from '../support/core.js'
import { onSqlite } from '../support/databases.js'
import { makeProcessing, pay } from '../support/examples.js'
import { attackWals } from './wal-attacks.js'

onSqlite((open) => {
  describe('a write-ahead log that is deleted, truncated, or changed in one byte', () => {
    it('is detected if an acknowledged payment is missing', async () => {
      const core = await openCore(open, { timers: { after: () => () => undefined } })
      const processing = await makeProcessing(core)
      const payments = async (count: number) => {
        const ids: string[] = []
        for (let n = 0; n < count; n++) ids.push(idOf(await pay(core, processing, 10 + n)))
        return ids
      }
      const { outcomes, problems } = await attackWals(core.place.home, 4, seededChance(1), payments)
      expect(problems).to.deep.equal([])
      expect(outcomes.filter(({ missing }) => missing > 0)).to.have.length.above(4)
    })
  })
})
