import { expect } from 'chai'
import { killAtSteps } from '../../simulation/gateways/kill-at-steps.js'
import { mixedFaults } from '../../simulation/gateways/mixed-faults.js'
import { RAILS } from '../gateways/contract/wire-servers.js'
import { onDatabases } from '../support/databases.js'

describe('money at failing gateways', () => {
  onDatabases((open) => {
    for (const kind of RAILS)
      it(`is the same in both books if one request in five fails: ${kind}`, async () => {
        const place = await open.migrated()
        const sizes = { payments: 20, percent: 20, seed: 1 }
        const report = await mixedFaults({ kind, place, peerPlace: open.migrated, ...sizes })
        expect(report.problems).to.deep.equal([])
        expect(report.faults).to.be.greaterThan(0)
      })

    it('is neither lost nor taken twice if serve is killed at each step', async () => {
      const place = await open.migrated()
      const kind = place.dialect === 'postgres' ? 'peer' : 'stripe'
      const report = await killAtSteps({ kind, place, peerPlace: open.migrated, kills: 1, seed: 1 })
      expect(report.problems).to.deep.equal([])
    })

    it('is the same in the books of two services if one, the gateway of the other, is killed @rest', async () => {
      const place = await open.migrated()
      const kills = { kills: 1, isPeerKilled: true, seed: 1 }
      const report = await killAtSteps({ kind: 'peer', place, peerPlace: open.migrated, ...kills })
      expect(report).to.deep.include({ kills: 10, problems: [] })
    })
  })
})
