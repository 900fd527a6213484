import { expect } from 'chai'
import { storeSettlement } from '../../../src/domain/settlements/store-settlement.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { idOf, openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'

const DAY = 24 * 3_600_000

describe('a blind refund and a credit that the gateway settles before their cut-off', () => {
  onDatabases((open) => {
    it('are captured, still await their cut-off, and are then deposited', async () => {
      const time = { now: Date.UTC(2030, 0, 15, 12) }
      const core = await openCore(open, { clock: { now: () => time.now } })
      const body = {
        amount: 10,
        processing_id: await makeProcessing(core, 'Payouts'),
        payment_method: card(),
      }
      const ids = [
        idOf(await core.ok('POST', '/transactions', { ...body, type: 'refund' })),
        idOf(await core.ok('POST', '/transactions', { ...body, type: 'credit' })),
      ]
      const statuses = async () =>
        await Promise.all(ids.map(async (id) => (await core.ok('GET', `/transactions/${id}`)).funding_status))
      const findings = async () => (await core.ok('GET', '/admin/verify')).findings
      await storeSettlement(
        core.environment.core,
        { ...remoteSimulator(), name: 'simulator' },
        {
          id: 'po_1',
          settledAt: null,
          currency: 'USD',
          gross: -2000,
          fees: 0,
          net: -2000,
          lines: ids.map((id) => ({
            id: `line ${id}`,
            kind: 'refund',
            amount: -1000,
            fee: 0,
            reference: id,
            gatewayId: `at gateway ${id}`,
          })),
        },
      )
      expect(await statuses()).to.deep.equal(['captured', 'captured'])
      expect(await findings()).to.deep.equal([])
      time.now += 3 * DAY
      await core.environment.runDueJobs()
      expect(await statuses()).to.deep.equal(['batched', 'batched'])
      expect(await findings()).to.deep.equal([])
    })
  })
})
