import { expect } from 'chai'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { simulator } from '../../../src/gateways/simulator/simulator.js'
import { checkWork } from '../../../src/installation/checks/work-checks.js'
import { millisecondsOf } from '../../../src/schema/datetime.js'
import { Business } from '../../support/business.js'
import { idOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { pay } from '../../support/examples.js'

describe('a refund', () => {
  onDatabases((open) => {
    let gateway: RemoteSimulator
    let business: Business
    let account: string
    beforeEach(async () => {
      gateway = remoteSimulator(simulator, { refundBeforeSettlement: false, horizon: 600_000 })
      business = await Business.open(open, { gateway })
      account = await business.account()
    })
    afterEach(async () => {
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
    /** Makes a refund that waits until its payment is settled; returns its id. */
    const wait = async () => idOf(await business.refund(idOf(await pay(business.core, account, 10)), 4))
    const reconcile = () => business.core.environment.reconcile(0)
    /** Whether doctor reports a missing outcome at a given time. */
    const isMissed = async (datetime: string) => {
      const handle = business.core.environment.core
      const checks = await handle.read(({ tx }) => checkWork(tx, 'test', millisecondsOf(datetime)))
      return checks.find(({ check }) => check === 'transactions')?.state === 'failed'
    }

    it('may wait until its payment is settled, without findings of verify and doctor', async () => {
      const refund = await wait()
      await reconcile()
      expect(await business.read(refund)).to.include({ status: 'processing' })
      expect(await isMissed('2030-01-16 17:00:00')).to.equal(false)
    })

    it('that waited has a timeout that starts when it is sent, not when it was created', async () => {
      const refund = await wait()
      business.at('2030-01-16 17:00:00')
      await business.core.environment.runDueJobs()
      gateway.script('arrives_late')
      await reconcile()
      business.at('2030-01-16 17:05:00')
      expect(await isMissed('2030-01-16 17:05:00')).to.equal(false)
      expect(await isMissed('2030-01-16 17:30:00')).to.equal(true)
      await reconcile()
      expect(await business.read(refund)).to.include({ status: 'processing' })
      expect((await business.core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
      gateway.release()
      await reconcile()
      expect(await business.read(refund)).to.include({ status: 'processed' })
    })

    it('that never reached the gateway is declined in the end', async () => {
      const refund = await wait()
      business.at('2030-01-16 17:00:00')
      await business.core.environment.runDueJobs()
      gateway.script('fails_before')
      await reconcile()
      business.at('2030-01-16 17:10:01')
      await reconcile()
      expect(await business.read(refund)).to.include({ status: 'declined', status_code: 'never_sent' })
    })

    it('that waited keeps waiting while the gateway cannot be reached', async () => {
      const refund = await wait()
      business.at('2030-01-16 17:00:00')
      await business.core.environment.runDueJobs()
      for (const outcome of [
        { result: 'not_sent', problem: 'not now' },
        { result: 'misconfigured', scope: 'gateway', problem: 'not now' },
      ] as const) {
        gateway.script(outcome)
        await reconcile()
        expect(await business.read(refund)).to.include({ status: 'processing' })
      }
      await reconcile()
      expect(await business.read(refund)).to.include({ status: 'processed' })
    })

    it('is not sent while its gateway is paused', async () => {
      const refund = await wait()
      business.at('2030-01-16 17:00:00')
      await business.core.environment.runDueJobs()
      const core = await business.another(open, { gateway, gatewayLoopback: true, report: () => undefined })
      const row = await core.ok('POST', '/admin/gateways', {
        name: gateway.name,
        kind: 'peer',
        base_url: 'http://127.0.0.1:1',
        credentials: { secret_key: 'test_secret_key_of_nobody' },
      })
      await core.ok('POST', `/admin/gateways/${idOf(row)}/pause`)
      const before = await business.read(refund)
      await core.environment.reconcile(0)
      expect(await business.read(refund)).to.deep.equal(before)
    })

    it('of an old payment is not overdue immediately after its request, and neither is a void', async () => {
      const refunded = idOf(await pay(business.core, account, 10))
      const voided = idOf(await pay(business.core, account, 11, { status: 'authorized' }))
      business.at('2030-01-17 17:00:00')
      await business.core.environment.runDueJobs()
      gateway.script('fails_before', 'fails_before')
      await business.refund(refunded, 4)
      await business.core.ok('PUT', `/transactions/${voided}`, { status: 'voided' })
      expect(await isMissed('2030-01-17 17:01:00')).to.equal(false)
      expect(await isMissed('2030-01-17 17:30:00')).to.equal(true)
    })
  })
})
