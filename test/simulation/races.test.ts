import { expect } from 'chai'
import { runRaces } from '../../simulation/races/run-races.js'
import { onDatabases } from '../support/databases.js'

describe('several services on one database', () => {
  onDatabases((open) => {
    it('let one of two conflicting requests win, and keep correct books although each service is killed', async () => {
      const place = await open.migrated()
      const serves = place.dialect === 'postgres' ? 3 : 2
      const report = await runRaces({ place, rounds: 1, serves, clients: 8, seed: 11, now: () => 0 })
      expect(report.problems).to.deep.equal([])
      expect(report.kills).to.equal(serves)
      expect(report.events).to.be.greaterThan(20)
    })
  })
})
