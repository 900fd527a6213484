import { expect } from 'chai'
import { oddityIn } from '../../../src/domain/settlements/odd-settlement.js'
import { openCore } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

const LINE = { id: 'l1', kind: 'payment', gatewayId: 'pi_1', amount: 1, fee: null } as const
const BATCH = { id: 'po_1', settledAt: null, currency: 'USD', gross: 1, fees: 0, net: 1, lines: [LINE] }

describe('a settlement that a gateway lists', () => {
  onDatabases((open) => {
    it('is not stored with an id or a currency that a database refuses', async () => {
      const core = await openCore(open)
      const oddity = async (odd: object) =>
        await core.environment.core.read(async (work) => oddityIn([{ ...BATCH, ...odd }], work))
      expect(await oddity({})).to.equal(undefined)
      expect(await oddity({ id: 'a\0b' })).to.be.a('string')
      expect(await oddity({ currency: 'U\0D' })).to.be.a('string')
      expect(await oddity({ currency: 'x'.repeat(3_000) })).to.be.a('string')
      for (const name of ['id', 'gatewayId', 'reference', 'parentId'])
        expect(await oddity({ lines: [{ ...LINE, [name]: 'a\0b' }] }), name).to.be.a('string')
    })
  })
})
