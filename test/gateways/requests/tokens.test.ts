import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { onDatabases } from '../../support/databases.js'
import { beginning, Recorded } from './recorded.js'

describe('a request to a remote gateway with tokens', () => {
  onDatabases((open) => {
    let remote: RemoteSimulator
    let on: Recorded
    before(async () => {
      remote = remoteSimulator()
      on = await Recorded.open(open, remote)
    })

    it('contains the token of a kept method, from its second payment on', async () => {
      remote.script({
        result: 'approved',
        amount: 3058,
        gatewayId: 'g_1',
        token: 'tok_1',
        networkId: 'net_1',
      })
      const first = await on.take(29.99)
      expect(on.recording.lastMethod()).to.not.have.any.keys('token', 'networkId')
      const { payment_method_id = null } = await on.business.read(first)
      const again = await on.take(10, { payment_method: { id: payment_method_id } })
      expect(on.recording.lastMethod()).to.include({ token: 'tok_1', networkId: 'net_1' })
      on.expectRequests(beginning('sale', first, 3058), beginning('sale', again, 1030))
    })

    it("contains the card network's id of the first payment, even if the gateway answered no token", async () => {
      const answer = { result: 'approved', amount: 1030 } as const
      remote.script(
        { ...answer, gatewayId: 'g_2', networkId: 'net_first' },
        { ...answer, gatewayId: 'g_3', networkId: 'net_second', token: 'tok_2' },
      )
      const { payment_method_id = null } = await on.business.read(await on.take(10))
      const again = async () => {
        await on.take(10, { payment_method: { id: payment_method_id } })
        return on.recording.lastMethod()
      }
      expect(await again())
        .to.include({ networkId: 'net_first' })
        .and.not.have.property('token')
      expect(await again()).to.include({ networkId: 'net_first', token: 'tok_2' })
      on.recording.takeRequests()
    })
  })
})
