import { expect } from 'chai'
import { hostileLoad } from '../../simulation/hostile-load/hostile-load.js'
import { stopwatch } from '../../src/platform/clock.js'
import { onDatabases } from '../support/databases.js'
import { hostileTarget } from '../support/hostile-target.js'

const SIZES = { signUps: 6, pageVisits: 100, names: 50_000, silentConnections: 50 }
const PAYMENTS = 10

onDatabases((open) => {
  describe('payments during a hostile load of strangers', () => {
    it('are all accepted', async () => {
      const { target, stop } = await hostileTarget(await open.migrated())
      try {
        const found = await hostileLoad(target, SIZES, PAYMENTS, () => stopwatch.now())
        expect(found).to.have.length(5)
        for (const { what, durations, refused } of found) {
          expect(refused, what).to.deep.equal([])
          expect(durations, what).to.have.length.least(PAYMENTS)
        }
      } finally {
        expect(await stop()).to.equal(0)
      }
    })
  })
})
