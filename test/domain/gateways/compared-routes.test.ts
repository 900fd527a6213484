import { expect } from 'chai'
import type { JsonObject } from '../../../src/schema/json.js'
import { payctl } from '../../cli/commands/payctl.js'
import { idOf, openCore, type TestCore, valuesOf } from '../../support/core.js'
import { onDatabases } from '../../support/databases.js'
import { card, makeProcessing } from '../../support/examples.js'
import { asOutsider, booksSealed } from '../../support/outsider.js'
import { openPeer, type RecordingPeer } from './recording-peer.js'

describe('a gateway or route that was changed outside of payctl', () => {
  onDatabases((open) => {
    let core: TestCore
    let bank: RecordingPeer
    let thief: RecordingPeer
    let gateway: string
    let other: string
    let account: string
    let time = 0

    before(async () => {
      bank = await openPeer(open)
      thief = await openPeer(open)
      // Each reading is 100 ms later, so the cached configuration has always expired.
      const stopwatch = { now: () => (time += 100) }
      core = await openCore(open, { gatewayLoopback: true, report: () => undefined, stopwatch })
      account = await makeProcessing(core)
      gateway = await add('up', bank)
      other = await add('other', thief)
      await core.ok('PUT', '/admin/gateway_routes', { default: 'other' })
      await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
    })
    beforeEach(() => {
      thief.received.length = 0
      bank.received.length = 0
    })
    afterEach(async () => {
      expect(thief.payments).to.deep.equal([])
      await pays()
    })

    const add = async (name: string, { address: base_url }: RecordingPeer) => {
      const credentials = { secret_key: `test_secret_key_of_${name}` }
      return idOf(await core.ok('POST', '/admin/gateways', { name, kind: 'peer', base_url, credentials }))
    }
    let amount = 20
    const pay = async () => {
      amount++
      const body = { type: 'payment', amount, processing_id: account, payment_method: card() }
      return await core.send('POST', '/transactions', body)
    }
    const pays = async () => {
      const { body, status } = await pay()
      expect(status, JSON.stringify(body)).to.equal(200)
      expect(body.gateway ?? 'up').to.equal('up')
    }
    const command = async (...words: string[]) => {
      await booksSealed(core.place)
      return await payctl(core.place, words, { variables: { PAYCTL_GATEWAY_LOOPBACK: '1' } })
    }
    /** Expects a payment to be refused before it is sent, and `commands` to name the cause. */
    const expectRefused = async (commands = ['doctor', 'status']) => {
      const { status, body } = await pay()
      expect(status, JSON.stringify(body)).to.equal(503)
      expect(body.error_description).to.include('something other than payctl')
      expect(bank.payments).to.deep.equal([])
      for (const name of commands)
        expect((await command(name)).stdout, name).to.include('something other than payctl')
      expect((await command('verify', '--json')).exitCode).to.equal(8)
    }
    const thieves = (...statements: string[]) => asOutsider(core.place, ...statements)
    const rowOf = async (table: 'gateway_routes' | 'admin_gateways', id: string) =>
      await core.environment.core.read(({ tx }) =>
        tx.db.selectFrom(table).selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      )

    it('is not used if the route was added', async () => {
      await thieves(
        `insert into gateway_routes (id, gateway_id, processing_id, created_at)
         values ('${account}:*', '${other}', '${account}', '2030-01-01 00:00:00')`,
      )
      await expectRefused()
      await thieves(`delete from gateway_routes where id = '${account}:*'`)
    })

    it('is not used if the route was changed or replaced by an older one', async () => {
      await thieves(`update gateway_routes set gateway_id = '${other}'`)
      await expectRefused()
      await thieves(`update gateway_routes set gateway_id = '${gateway}', merchant = 'acct_thief'`)
      await expectRefused()
      await thieves(`update gateway_routes set merchant = null`)
    })

    it('is not used if the route of the account was removed, so the default would apply', async () => {
      await core.ok('PUT', '/admin/gateway_routes', { processing_id: account, default: 'up' })
      await core.ok('PUT', '/admin/gateway_routes', { default: 'other' })
      const { created_at } = await rowOf('gateway_routes', `${account}:*`)
      await thieves(`delete from gateway_routes where id = '${account}:*'`)
      await expectRefused([])
      await thieves(
        `insert into gateway_routes (id, gateway_id, processing_id, created_at)
         values ('${account}:*', '${gateway}', '${account}', '${created_at}')`,
      )
      await pays()
      await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
      await core.ok('PUT', '/admin/gateway_routes', { processing_id: account, default: null })
    })

    it('can be replaced by setting the route again, after which payments are sent', async () => {
      await thieves(`update gateway_routes set gateway_id = '${other}'`)
      expect((await pay()).status).to.equal(503)
      const status = async () => JSON.stringify((await core.ok('GET', '/admin/status')).lines)
      expect(await status()).to.include('something other')
      await core.ok('PUT', '/admin/gateway_routes', { default: 'up' })
      expect(await status()).to.not.include('something other')
    })

    it('is not used if the gateway was paused and was made active', async () => {
      await core.ok('POST', `/admin/gateways/${gateway}/pause`)
      await thieves(`update admin_gateways set status = 'active' where id = '${gateway}'`)
      const { status } = await pay()
      expect(status).to.equal(503)
      expect(bank.payments).to.deep.equal([])
      const resumed = await core.send('POST', `/admin/gateways/${gateway}/resume`)
      expect(resumed.status).to.equal(409)
      await thieves(`update admin_gateways set status = 'paused' where id = '${gateway}'`)
      await core.ok('POST', `/admin/gateways/${gateway}/resume`)
    })

    it('is not used if the gateway was deleted, and no payment goes to the simulator instead', async () => {
      await thieves(`update admin_gateways set deleted_at = '2030-01-01 00:00:00' where id = '${gateway}'`)
      await expectRefused()
      await thieves("update admin_gateways set deleted_at = '2030-01-01 00:00:00'")
      await expectRefused()
      await thieves('update admin_gateways set deleted_at = null')
    })

    for (const column of ['notifications_cursor', 'settlements_cursor'] as const)
      it(`is not queried if its ${column} was changed`, async () => {
        const before = ((await rowOf('admin_gateways', gateway)) as JsonObject)[column]
        await thieves(`update admin_gateways set ${column} = 'zzz' where id = '${gateway}'`)
        await core.environment.reconcile(0)
        await core.environment.runDueJobs()
        expect(bank.received).to.deep.equal([])
        const [shown] = valuesOf(await core.ok('GET', '/admin/gateways', undefined, { query: 'name=up' }))
        expect(JSON.stringify(await core.ok('GET', '/admin/status'))).to.include(gateway)
        expect(shown?.status).to.equal('active')
        expect((await command('doctor')).stdout).to.include('something other than payctl')
        const old = before === null ? 'null' : `'${String(before)}'`
        await thieves(`update admin_gateways set ${column} = ${old} where id = '${gateway}'`)
      })

    it('does not end the catch-up that is required after a restore', async () => {
      bank.isSilent = true
      const begun = await core.ok('POST', '/admin/catch_up', { since: '2030-01-01 00:00:00' })
      expect(begun.finished).to.equal(false)
      await thieves('delete from catch_ups')
      const { status, body } = await pay()
      expect(status).to.equal(503)
      expect(body.error_description).to.include('payctl gateways catch-up')
      expect(bank.payments).to.deep.equal([])
      expect((await command('doctor')).stdout).to.include('payctl gateways catch-up')
      expect(await core.environment.runDueJobs()).to.deep.equal([])
      const blind = await core.send('POST', '/admin/catch_up', {})
      expect(blind.status).to.equal(400)
      bank.isSilent = false
      const ended = await core.ok('POST', '/admin/catch_up', { since: '2030-01-01 00:00:00' })
      expect(ended.finished).to.equal(true)
    })

    it('leaves no finding for verify once the original rows are restored', async () => {
      const { exitCode, stdout } = await command('verify', '--json')
      expect(exitCode, stdout).to.equal(0)
    })
  })
})
