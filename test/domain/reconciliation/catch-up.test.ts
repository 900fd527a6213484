import { join } from 'node:path'
import { expect } from 'chai'
import { beginCatchUp } from '../../../src/domain/gateways/catching-up.js'
import { type RemoteSimulator, remoteSimulator } from '../../../src/gateways/simulator/remote-simulator.js'
import { backUp } from '../../../src/installation/backup.js'
import type { Json } from '../../../src/schema/json.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases, onSqlite } from '../../support/databases.js'
import { card, makeProcessing, pay } from '../../support/examples.js'
import { emptyHome } from '../../support/home.js'
import { restoreBackup } from '../../support/restored.js'

const exceptionsOf = async (core: TestCore) =>
  valuesOf(await core.ok('GET', '/admin/exceptions', undefined, { query: 'limit=1000&order_by=id' }))
const payment = (account: string, more: object = {}): Json => ({
  type: 'payment',
  amount: 10,
  processing_id: account,
  payment_method: card(),
  ...more,
})

describe('after a restore', () => {
  onDatabases((open) => {
    it('all operations of a gateway are read, even if a payment has a pending operation', async () => {
      const gateway: RemoteSimulator = remoteSimulator()
      const copied = await openCore(open, { gateway })
      const account = await makeProcessing(copied)
      const held = idOf(await pay(copied, account, 20, { status: 'authorized' }))
      const first = await openCore(open, { gateway })
      await pay(first, await makeProcessing(first), 50)
      gateway.script('fails_before')
      await copied.ok('PUT', `/transactions/${held}`, { status: 'processed' })
      const { core: handle } = await copied.app.environment('test')
      await handle.write(({ tx }) => beginCatchUp(tx, '2020-01-01 00:00:00', '2020-01-01 00:00:00'))
      const core = await openCore(open, { ...copied.place, gateway })
      const caught = await core.ok('POST', '/admin/catch_up')
      expect(caught).to.include({ looked_up: 2, exceptions: 1, finished: false })
      expect(caught.unlisted).to.include(held)
      expect((await exceptionsOf(core)).map(({ kind }) => kind)).to.deep.equal(['forgotten_operation'])
      expect(await core.ok('POST', '/admin/catch_up')).to.include({ finished: true })
    })

    it('a catch-up stays open if another one begins since an earlier time', async () => {
      const gateway = remoteSimulator()
      const since = '2020-01-01 00:00:00'
      const place = await open.migrated()
      const openWith = async (reads: () => Promise<unknown>) =>
        await openCore(open, {
          ...place,
          gateway: {
            ...gateway,
            async *operations() {
              await reads()
              yield* []
            },
          },
        })
      const unreachable = await openWith(() => Promise.reject(new Error('It cannot be reached')))
      const core = await openWith(() => unreachable.ok('POST', '/admin/catch_up', { since }))
      const caught = await core.ok('POST', '/admin/catch_up', { since: '2030-01-01 00:00:00' })
      expect(caught).to.include({ finished: false })
      expect(await unreachable.ok('POST', '/admin/catch_up')).to.include({ since, finished: false })
    })

    it('no operation is sent until gateways were queried; their operations are booked or become exceptions', async () => {
      const gateway: RemoteSimulator = remoteSimulator()
      const first = await openCore(open, { gateway })
      const there = await makeProcessing(first)
      await pay(first, there, 50)

      // Another database that has only some of the operations, like a restored database.
      const copied = await openCore(open, { gateway })
      const account = await makeProcessing(copied)
      const held = idOf(await pay(copied, account, 20, { status: 'authorized' }))
      const taken = idOf(await pay(copied, account, 21))
      const kept = idOf(await pay(copied, account, 22))
      const since = '2020-01-01 00:00:00'
      const { core: handle } = await copied.app.environment('test')
      await handle.write(({ tx }) => beginCatchUp(tx, since, since))
      const core = await openCore(open, { ...copied.place, gateway })
      // A capture and a void at the gateway after the backup, which the restored books do not have.
      const at = { currency: 'USD', amount: 2000 }
      await gateway.perform({
        type: 'capture',
        reference: 'op_1',
        parent: { reference: held, gatewayId: null },
        ...at,
      })
      await gateway.perform({
        type: 'void',
        reference: 'op_2',
        parent: { reference: taken, gatewayId: null },
        ...at,
      })

      const before = gateway.performed.length
      const refused = await core.send('POST', '/transactions', payment(account))
      expect(refused.status).to.equal(503)
      expect(refused.body.error_description).to.include('payctl gateways catch-up --env test')
      const refund = { type: 'refund', amount: 1, ledger: [{ assoc_transaction_id: kept }] }
      expect((await core.send('POST', '/transactions', refund)).status).to.equal(503)
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      expect(gateway.performed).to.have.length(before)

      const caught = await core.ok('POST', '/admin/catch_up')
      expect(caught).to.include({ looked_up: 4, booked: 2, exceptions: 1, unknown: 0, finished: true })
      expect(await core.ok('GET', `/transactions/${held}`)).to.include({ status: 'processed' })
      expect(await core.ok('GET', `/transactions/${taken}`)).to.include({ status: 'voided' })
      const [forgotten, ...more] = await exceptionsOf(core)
      expect(more).to.deep.equal([])
      expect(forgotten).to.deep.include({
        kind: 'forgotten_operation',
        status: 'open',
        amount: 50,
        resolutions: ['refund', 'link', 'ignore'],
      })
      expect(await core.ok('POST', '/admin/catch_up')).to.include({ since: null, finished: true })
      const body = { resolution: 'refund', reason: 'taken before the restore' }
      const path = `/admin/exceptions/${idOf(forgotten ?? {})}/resolve`
      expect(await core.ok('POST', path, body)).to.include({ status: 'resolved' })
      expect(gateway.performed.at(-1)).to.deep.include({ type: 'void', amount: 5000 })
      expect(await core.ok('POST', '/transactions', refund)).to.include({ status: 'processed' })
      expect((await core.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })

  onSqlite((open) => {
    it('of a backup without the last 100 payments, each missing payment opens a reconciliation exception and none is taken twice', async () => {
      const gateway = remoteSimulator()
      const core = await openCore(open, { gateway })
      const { home } = core.place
      const account = await makeProcessing(core)
      await pay(core, account, 5)
      // In test, a restore requires a catch-up only if a gateway is connected.
      await core.ok('POST', '/admin/gateways', {
        name: 'up',
        kind: 'peer',
        base_url: 'https://pay.example.com',
        credentials: { secret_key: 'test_secret_key_of_theirs' },
      })
      const folder = join(emptyHome(), 'backup')
      await backUp({ home, folder, madeBy: '1', now: Date.now() })
      for (let start = 0; start < 100; start += 20) {
        const values = Array.from({ length: 20 }, (_, index) =>
          payment(account, { amount: start + index + 1 }),
        )
        await core.ok('POST', '/transactions', { object: 'list', values })
      }
      expect(gateway.performed).to.have.length(101)
      await core.app.close()

      await restoreBackup(home, folder)
      const restored = await openCore(open, { ...core.place, gateway })
      expect(valuesOf(await restored.ok('GET', '/transactions'))).to.have.length(1)
      expect((await restored.send('POST', '/transactions', payment(account))).status).to.equal(503)
      expect(gateway.performed).to.have.length(101)
      // The other gateway does not answer, so it cannot be queried, and is removed.
      const [up] = valuesOf(await restored.ok('GET', '/admin/gateways'))
      const unread = await restored.ok('POST', '/admin/catch_up')
      expect(unread).to.include({ finished: false }).and.have.property('unlisted').that.includes('up (')
      await restored.ok('DELETE', `/admin/gateways/${idOf(up ?? {})}`)
      expect(unread).to.include({ looked_up: 101, exceptions: 100, booked: 0 })
      expect(await restored.ok('POST', '/admin/catch_up')).to.include({
        looked_up: 101,
        exceptions: 0,
        booked: 0,
        finished: true,
      })
      const found = await exceptionsOf(restored)
      expect(new Set(found.map(({ amount }) => amount))).to.have.property('size', 100)
      expect(await restored.ok('POST', '/transactions', payment(account))).to.include({ status: 'processed' })
      expect(new Set(gateway.performed.map(({ reference }) => reference))).to.have.property('size', 102)
      expect(gateway.performed).to.have.length(102)
      expect((await restored.ok('GET', '/admin/verify')).findings).to.deep.equal([])
    })
  })
})
