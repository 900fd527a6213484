import { expect } from 'chai'
import { type Simulated, type Simulation, simulate } from '../../simulation/simulate.js'
import type { UnreliableGateway } from '../../simulation/world/unreliable-gateway.js'
import type { RemoteGateway } from '../../src/gateways/contract.js'
import { onDatabases } from '../support/databases.js'

/** Size of the simulation: two months of 15 accounts on SQLite, and two weeks of 4 accounts on PostgreSQL. */
const SIZES = {
  sqlite: { accounts: 15, days: 61, operations: 5 },
  postgres: { accounts: 4, days: 14, operations: 6 },
} as const

describe('a simulation', () => {
  onDatabases((open) => {
    const run = async (more: Partial<Simulation>): Promise<Simulated> => {
      const place = await open.place()
      return await simulate({ place, seed: 20_261_121, ...SIZES[place.dialect], ...more })
    }

    it('of days with crashes and a gateway that loses answers violates no rule', async () => {
      const { failed, operations, crashes } = await run({})
      expect(failed, JSON.stringify(failed, null, 1)).to.equal(undefined)
      expect(operations).to.be.above(50)
      expect(crashes).to.be.above(5)
    })

    it('detects a gateway that charges payments but denies them, and is repeatable from its seed', async () => {
      const broken = { accounts: 3, days: 60, operations: 10, gateway: forgetful }
      const first = await run(broken)
      expect(first.failed?.problems.join('\n')).to.match(/and the gateway says otherwise/)
      expect(await run(broken)).to.deep.equal(first)
    })
  })
})

/** Wraps a gateway so that a query never finds its operations; charged payments then count as never sent. */
function forgetful(gateway: UnreliableGateway): RemoteGateway {
  return { ...gateway, find: async () => 'never_seen' }
}
