import { expect } from 'chai'
import { Gateways } from '../../../src/domain/gateways/gateways.js'
import { handleNotifications } from '../../../src/domain/reconciliation/handle-notifications.js'
import { remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { ReadBudget } from '../../../src/platform/network/read-budget.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'

describe('a notification whose event cannot be read at the gateway', () => {
  onDatabases((open) => {
    let core: TestCore
    let gateway: string
    beforeEach(async () => {
      core = await openCore(open, { gatewayLoopback: true, report: () => undefined })
      gateway = idOf(
        await core.ok('POST', '/admin/gateways', {
          name: 'up',
          kind: 'peer',
          base_url: 'http://127.0.0.1:1',
          credentials: { secret_key: 'test_secret_key_x' },
        }),
      )
      const sent = { id: 'evt_1', trigger: 'payment', triggered_on: { object: 'transaction', id: 'txn_no' } }
      const body = Buffer.from(JSON.stringify(sent))
      expect(await core.app.receiveNotification({ id: gateway, headers: {}, body })).to.equal('stored')
    })
    const notifications = async () => valuesOf(await core.ok('GET', '/admin/gateway_notifications'))
    const pass = async (by: string) => {
      await core.ok('POST', '/admin/clock', { by })
      await (await core.environment.atGateway('up')).handleNotifications()
    }

    it('is given up after three days, and waits again when an operator retries it', async () => {
      await pass('2d')
      const [waiting] = await notifications()
      expect(waiting).to.include({ status: 'waiting' })
      expect(waiting?.problem).to.be.a('string')
      await pass('1d')
      expect((await notifications())[0]).to.include({ status: 'given_up' })
      const path = `/admin/gateway_notifications/${waiting?.id}/handle`
      expect(await core.ok('POST', path)).to.include({ status: 'waiting' })
    })

    it('is given up after three days, even if the time for reading at the gateway is used up', async () => {
      await pass('1d')
      await core.ok('POST', '/admin/clock', { by: '3d' })
      const gateways = new Gateways({
        environment: 'test',
        fallback: undefined,
        connect: async () => remoteSimulator(),
        stopwatch: { now: () => 0 },
      })
      const over = new ReadBudget(1_000, AbortSignal.abort())
      await handleNotifications(core.environment.core, { gateways, name: 'up', budget: over })
      expect((await notifications())[0]).to.include({ status: 'given_up' })
    })

    it('is deleted 90 days after it was given up, and not before', async () => {
      await pass('3d')
      await pass('89d')
      expect(await notifications()).to.have.length(1)
      await pass('2d')
      expect(await notifications()).to.deep.equal([])
    })
  })
})
