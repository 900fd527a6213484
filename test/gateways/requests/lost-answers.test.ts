import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { beginning, following, Recorded } from './recorded.js'

describe('the request to a remote gateway whose answers are lost', () => {
  onDatabases((open) => {
    let remote: RemoteSimulator
    let on: Recorded
    before(async () => {
      remote = remoteSimulator()
      on = await Recorded.open(open, remote)
    })
    afterEach(() => on.expectRequests())
    const reconcile = async () => {
      await on.core.environment.reconcile(0)
      return on.recording.takeLookups()
    }

    it('is one sale, followed by a query for its outcome', async () => {
      remote.script('times_out_after')
      const payment = await on.take(29.99)
      on.expectRequests(beginning('sale', payment, 3058))
      expect(on.recording.takeLookups()).to.deep.equal([])
      expect(await reconcile()).to.deep.equal([payment])
      expect(await reconcile()).to.deep.equal([])
      expect(await on.business.read(payment)).to.include({ status: 'processed' })
    })

    it('is one refund, followed by a query for its outcome', async () => {
      const payment = await on.take(29.99)
      remote.script('times_out_after')
      const refund = idOf(await on.business.refund(payment, 10))
      on.expectRequests(beginning('sale', payment, 3058), following('refund', payment, refund, 1000))
      expect(await reconcile()).to.deep.equal([refund])
    })

    it('is another capture with a new reference, when the first is known to be lost', async () => {
      const payment = await on.take(29.99, { status: 'authorized' })
      on.expectRequests(beginning('authorize', payment, 3058))
      remote.script('fails_before')
      await on.become(payment, 'processed')
      const [lost] = on.recording.takeRequests()
      expect(lost).to.deep.include({ type: 'capture', parent: payment, amount: 3058 })
      expect(await reconcile()).to.deep.equal([lost?.reference])
      await on.become(payment, 'processed')
      on.expectFollowing('capture', payment, 3058)
    })
  })
})
